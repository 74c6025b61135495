/** Remembers which confirmations were used. One memory is shared by all processes that read each other's tokens. */
export interface UsedOnce {
  /** Stands in every confirmation that is made: one that was made under another mark may have been used, and that is forgotten. */
  mark(): string;
  /** True the first time; from then on false, at least until it is over. What cannot be told rejects, and nothing is done. */
  use(one: Once, now: Date): Promise<boolean>;
}

export interface Once {
  readonly id: string;
  readonly until: Date;
  /** As it was when it was made. */
  readonly mark: string;
}

/** How long a confirmation is good, from when it was made. */
export const CONFIRM_TTL_MS = 5 * 60_000;

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
