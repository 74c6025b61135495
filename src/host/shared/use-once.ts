import { ToolError } from "../../model/errors.ts";
import { CONFIRM_TTL_MS, type UsedOnce } from "../../model/used-once.ts";
import { READ_EPOCH } from "./epoch.ts";
import type { Store } from "./open-store.ts";

/** So far may the clocks of replicas be apart, or a replica believe in one that has expired. */
const SKEW_MS = 10 * 60_000;
/** A confirmation is worth waiting for: who gave it would have to be asked again. */
const WAIT_MS = 1_000;
/** One seems younger by as long as it was on its way, and by what clocks differ. */
const SLACK_MS = WAIT_MS + 1_000;

const USE = `${READ_EPOCH}
  if redis.call('EXISTS', KEYS[2]) == 1 then return 0 end
  if now - tonumber(ARGV[2]) <= epoch then return -1 end
  redis.call('SET', KEYS[2], '1', 'PX', ARGV[1])
  return 1`;

/**
 * A memory of used confirmations that all replicas share. One that was made before the store began to remember, for example before it was flushed,
 * may have been used: it is not counted. Rejects with ToolError where the store does not answer.
 */
export function openSharedUsedOnce(store: Store, { epoch, prefix }: { epoch: string; prefix: string }): UsedOnce {
  return {
    async use(id, until, now) {
      const leftMs = until.getTime() - now.getTime();
      const [keepMs, ageMs] = [Math.max(0, leftMs) + SKEW_MS, Math.max(0, CONFIRM_TTL_MS - leftMs) + SLACK_MS];
      const answer = await store
        .ask((redis) => redis.eval(USE, 2, epoch, `${prefix}${id}`, keepMs, ageMs), WAIT_MS)
        .catch((error: unknown) => {
          throw refuseForNow(error);
        });
      return answer === 1;
    },
  };
}

function refuseForNow(cause: unknown): ToolError {
  return new ToolError(
    "upstream_unavailable",
    {
      message: "Nothing was done: it cannot be told at the moment whether this confirmation was used already.",
      recover: "Call again in a moment with the same arguments and the same `confirm`.",
      retryable: true,
    },
    { cause },
  );
}
