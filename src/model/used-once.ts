/** Remembers which confirmations were used. One memory is shared by all processes that read each other's tokens. */
export interface UsedOnce {
  /** True the first time; from then on false, at least until `until`. What cannot be told rejects, and nothing is done. */
  use(id: string, until: Date, now: Date): Promise<boolean>;
}

/** How long a confirmation is good, from when it was made. */
export const CONFIRM_TTL_MS = 5 * 60_000;
