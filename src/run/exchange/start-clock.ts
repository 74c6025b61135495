/** What a clock's signal was aborted with when its time was up. */
export class TimeIsUp extends Error {
  readonly code = "TIME_IS_UP";
}

export interface Clock {
  /** Ends with `TimeIsUp`, or as the caller's does. */
  readonly signal: AbortSignal;
  stop(): void;
}

/** A signal that ends after so many milliseconds or with `cancel`. Not AbortSignal.any: on Node 20 that keeps listeners on long-lived signals. */
export function startClock(ms: number, cancel: AbortSignal): Clock {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new TimeIsUp("The time is up.")), Math.max(0, ms));
  const follow = () => controller.abort(cancel.reason);
  if (cancel.aborted) follow();
  else cancel.addEventListener("abort", follow, { once: true });
  return {
    signal: controller.signal,
    stop() {
      clearTimeout(timer);
      cancel.removeEventListener("abort", follow);
    },
  };
}
