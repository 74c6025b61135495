/** A longer wait is told as this one: nobody waits in a call for a day. */
const LONGEST_MS = 86_400_000;

/** `Retry-After` in milliseconds from `now`, given in seconds or as a date (RFC 9110 10.2.3); undefined where there is none. */
export function readRetryAfter(headers: ReadonlyMap<string, string>, now: Date): number | undefined {
  const text = headers.get("retry-after")?.trim() ?? "";
  // A date begins with the name of its day; Node would read some numbers as dates too.
  const date = /^[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  const waited = /^\d+$/.test(text) ? Number(text) * 1000 : date - now.getTime();
  return Number.isNaN(waited) ? undefined : Math.min(LONGEST_MS, Math.max(0, waited));
}
