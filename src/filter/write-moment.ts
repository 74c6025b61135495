/**
 * A date-time of RFC 3339 in UTC with milliseconds. Elasticsearch fills up a second that states none with .999 under `gt` and `lte`
 * (reference, "Missing date components"), which would move the bound.
 */
export function toMilliseconds(text: string): string {
  const [, whole = text, fraction = ""] = /^(.*?)(?:\.(\d+))?Z$/.exec(text) ?? [];
  return `${whole}.${fraction.padEnd(3, "0")}Z`;
}

/** Unix milliseconds of a date or a date-time; undefined where it is finer than that. */
export function unixMilliseconds(text: string): number | undefined {
  if (/\.\d{3}\d*[1-9]/.test(text)) return undefined;
  const milliseconds = Date.parse(text);
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}
