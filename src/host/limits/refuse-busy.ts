import type { Refusal } from "../hosting.ts";

/** Too many calls, of a caller or an address: there may be another in `ms`. */
export function refuseRate(ms: number): Refusal {
  const seconds = secondsOf(ms);
  return refusal(429, 1429, seconds, `Too many calls: call again in ${seconds} s.`);
}

/** More than can be served now, whoever asks. */
export function refuseBusy(ms: number): Refusal {
  const seconds = secondsOf(ms);
  return refusal(503, 1503, seconds, `The server is busy: call again in ${seconds} s.`);
}

function refusal(status: 429 | 503, code: number, seconds: number, message: string): Refusal {
  return { kind: "refused", status, headers: [["retry-after", String(seconds)]], code, message };
}

/** RFC 9110 10.2.3: whole seconds; none is sent back before its time. */
function secondsOf(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}
