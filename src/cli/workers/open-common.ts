import { randomBytes } from "node:crypto";
import { countHere, type OwnCounter } from "../../host/limits/count-here.ts";
import { openUsedOnce } from "../../model/used-once.ts";
import type { CommonAnswers, Counted, Joining } from "./messages.ts";

export interface Common {
  readonly joining: Pick<Joining, "secret" | "mark">;
  readonly answers: Pick<CommonAnswers, "use" | "count">;
}

const SECRET_BYTES = 32;
const MARK_BYTES = 6;
export const MOST_KEYS = { callers: 100_000, addresses: 50_000 } as const;

/**
 * What workers have in common where no store is shared: a secret, which confirmations were used, and how much was asked in a time. It is in the memory of
 * the process that started them, and gone with it and them.
 */
export function openCommon(): Common {
  const used = openUsedOnce();
  const mark = randomBytes(MARK_BYTES).toString("base64url");
  const clock = (): number => performance.now();
  const counters: Readonly<Record<Counted["of"], OwnCounter>> = {
    callers: countHere(MOST_KEYS.callers, clock),
    addresses: countHere(MOST_KEYS.addresses, clock),
  };
  return {
    joining: { secret: randomBytes(SECRET_BYTES).toString("base64url"), mark },
    answers: {
      // One of before a restart, or of another machine with the same secret, may have been used already.
      use: async (one) => one.mark === mark && (await used.use({ ...one, until: new Date(one.until) }, new Date())),
      count: ({ of, key, rate }) => counters[of].take(key, rate, 1),
    },
  };
}
