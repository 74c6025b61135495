/** A longer wait is told as this one: nobody waits in a call for a day. */
const LONGEST_MS = 86_400_000;

/** Says that no requests are left, and when there are some again: in seconds (draft-ietf-httpapi-ratelimit-headers-06) or as Unix time. */
const RESET = [
  ["ratelimit-remaining", "ratelimit-reset"],
  ["x-ratelimit-remaining", "x-ratelimit-reset"],
] as const;
/** No wait is as long as the time since 1970 was in 2001. */
const LEAST_UNIX_TIME = 1_000_000_000;

/**
 * `Retry-After` in milliseconds from `now`, given in seconds or as a date (RFC 9110 10.2.3), or else when there are requests left again; undefined
 * where there is neither.
 */
export function readRetryAfter(headers: ReadonlyMap<string, string>, now: Date): number | undefined {
  const text = headers.get("retry-after")?.trim() ?? "";
  // A date begins with the name of its day; Node would read some numbers as dates too.
  const date = /^[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  const waited = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : date - now.getTime();
  const known = Number.isNaN(waited) ? readReset(headers, now) : waited;
  return known === undefined ? undefined : Math.min(LONGEST_MS, Math.max(0, Math.ceil(known)));
}

function readReset(headers: ReadonlyMap<string, string>, now: Date): number | undefined {
  const spent = RESET.find(([remaining]) => headers.get(remaining)?.trim() === "0");
  const text = spent && headers.get(spent[1])?.trim();
  if (text === undefined || !/^\d{1,10}(\.\d+)?$/.test(text)) return undefined;
  const seconds = Number(text);
  return seconds < LEAST_UNIX_TIME ? seconds * 1000 : seconds * 1000 - now.getTime();
}
