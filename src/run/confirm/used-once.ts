import type { UsedOnce } from "../../model/used-once.ts";

export type { UsedOnce } from "../../model/used-once.ts";

/** A memory of this process. What has expired is forgotten, so it never holds more than what was confirmed within five minutes. */
export function openUsedOnce(): UsedOnce {
  const used = new Map<string, number>();
  return {
    mark: () => "",
    async use({ id, until }, now) {
      // In the order of use, which is nearly that of expiry.
      for (const [old, expires] of used) {
        if (expires > now.getTime()) break;
        used.delete(old);
      }
      if (used.has(id)) return false;
      used.set(id, until.getTime());
      return true;
    },
  };
}

/** For every runner of this process, so that a reload forgets none. */
export const OWN_MEMORY: UsedOnce = openUsedOnce();
