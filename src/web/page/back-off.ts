const FIRST_MS = 500;
const LONGEST_MS = 15_000;

/** The time between attempts: longer after each that failed. */
export interface BackOff {
  /** Ends when the time is over, when somebody asks for the next attempt, and with the signal. */
  rest(): Promise<void>;
  /** The next attempt is made at once. */
  wake(): void;
  /** An attempt has succeeded. */
  reset(): void;
}

export function openBackOff(signal: AbortSignal): BackOff {
  let ms = FIRST_MS;
  let wake = (): void => {};
  return {
    rest: () =>
      new Promise((resolve) => {
        const end = (): void => {
          clearTimeout(timer);
          signal.removeEventListener("abort", end);
          resolve();
        };
        const timer = setTimeout(end, ms);
        ms = Math.min(ms * 2, LONGEST_MS);
        signal.addEventListener("abort", end, { once: true });
        wake = end;
      }),
    wake: () => wake(),
    reset: () => {
      ms = FIRST_MS;
    },
  };
}
