/** Who came of late, as far as to know whether somebody was the only one. */
export interface Comers {
  came(caller: string): void;
  /** Whether another one came within the last minute. */
  hasOther(caller: string): boolean;
}

const KNOWN_MS = 60_000;

interface Comer {
  readonly caller: string;
  readonly at: number;
}

/** `now` is in milliseconds, and never goes back. */
export function openComers(now = () => performance.now()): Comers {
  let last: Comer | undefined;
  // The last one that is another than the last.
  let other: Comer | undefined;
  return {
    came(caller) {
      if (last?.caller !== caller) other = last;
      last = { caller, at: now() };
    },
    hasOther(caller) {
      const one = last?.caller === caller ? other : last;
      return one !== undefined && now() - one.at < KNOWN_MS;
    },
  };
}
