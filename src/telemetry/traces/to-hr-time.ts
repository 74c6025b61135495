import type { HrTime } from "@opentelemetry/api";

/** Milliseconds of the epoch, or between two moments, as whole seconds and nanoseconds. */
export function toHrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1_000);
  return [seconds, Math.floor((ms - seconds * 1_000) * 1e6)];
}
