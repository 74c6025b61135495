import { createHash } from "node:crypto";
import { refuseForNow } from "../../model/refuse-for-now.ts";
import type { UsedOnce } from "../../model/used-once.ts";
import { READ_EPOCH } from "./epoch.ts";
import type { Store } from "./open-store.ts";

/** So far may the clocks of replicas be apart, or a replica believe in one that has expired. */
const SKEW_MS = 10 * 60_000;
/** A confirmation is worth waiting for: who gave it would have to be asked again. */
const WAIT_MS = 1_000;

const USE = `${READ_EPOCH}
  if redis.call('EXISTS', KEYS[2]) == 1 then return { 0, known } end
  if string.sub(redis.sha1hex(known), 1, #ARGV[2]) ~= ARGV[2] or ARGV[2] == '' then return { 0, known } end
  redis.call('SET', KEYS[2], '1', 'PX', ARGV[1])
  return { 1, known }`;

export interface SharedUsedOnce extends UsedOnce {
  /** Confirmations that are made from now on are of this epoch. */
  follow(epoch: string): void;
}

/**
 * A memory of used confirmations that all replicas share. A confirmation says in which epoch of the store it was made, whatever clocks say: one of another
 * may have been used, and is not counted. Rejects with ToolError where the store does not answer.
 */
export function openSharedUsedOnce(store: Store, names: { epoch: string; prefix: string }): SharedUsedOnce {
  let [followed, mark] = ["", ""];
  const follow = (epoch: string): void => {
    if (epoch !== followed) mark = markOf(epoch);
    followed = epoch;
  };
  return {
    follow,
    mark: () => mark,
    async use(one, now) {
      const keepMs = Math.max(0, one.until.getTime() - now.getTime()) + SKEW_MS;
      const [isFirst, epoch] = (await store
        .askPatiently((redis) => redis.eval(USE, 2, names.epoch, `${names.prefix}${one.id}`, keepMs, one.mark), WAIT_MS)
        .catch((error: unknown) => {
          throw refuseForNow(error);
        })) as [number, string];
      follow(epoch);
      return isFirst === 1;
    },
  };
}

/** Enough to tell epochs apart, and short: it stands in every confirmation. */
function markOf(epoch: string): string {
  return createHash("sha1").update(epoch).digest("hex").slice(0, 8);
}
