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
