import { type Ending, openEnding } from "../../model/ending.ts";

/** What a clock's signal was aborted with when its time was up. */
export class TimeIsUp extends Error {
  readonly code = "TIME_IS_UP";
}

export interface Clock {
  /** Ends with `TimeIsUp`, or as the caller's does. */
  readonly signal: Ending;
  /** At most so many milliseconds from now. */
  shorten(ms: number): void;
  stop(): void;
}

/** A signal that ends after so many milliseconds or with `cancel`. */
export function startClock(ms: number, cancel: Ending): Clock {
  const controller = openEnding();
  let endsAt = Number.POSITIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  const shorten = (duration: number): void => {
    const at = performance.now() + duration;
    if (at >= endsAt) return;
    endsAt = at;
    clearTimeout(timer);
    timer = setTimeout(() => controller.abort(new TimeIsUp("The time is up.")), Math.max(0, duration));
  };
  shorten(ms);
  const follow = () => controller.abort(cancel.reason);
  if (cancel.aborted) follow();
  else cancel.addEventListener("abort", follow, { once: true });
  return {
    signal: controller.signal,
    shorten,
    stop() {
      clearTimeout(timer);
      cancel.removeEventListener("abort", follow);
    },
  };
}
