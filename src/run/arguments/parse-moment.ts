/** A moment as RFC 3339 writes it: a day alone, or an instant, whose text is kept as the caller wrote it. */
export type Moment =
  | { readonly kind: "day"; readonly day: string }
  | { readonly kind: "instant"; readonly text: string; readonly milliseconds: number };

/** What the text misses to be a moment, for the caller. */
export type MomentFault = "no_zone" | "no_moment" | "no_such_day";

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const INSTANT = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(\.\d{1,9})?(?:([Zz])|([+-])(\d{2}):(\d{2}))?$/;

/** Reads RFC 3339 `full-date` or `date-time`; a time without a zone is refused, for nobody knows which one is meant. */
export function parseMoment(text: string): Moment | MomentFault {
  if (DAY.test(text)) return isDay(text) ? { kind: "day", day: text } : "no_such_day";
  const parts = INSTANT.exec(text);
  if (!parts) return "no_moment";
  const [, day, hour, minute, second, fraction, zulu, sign, zoneHour, zoneMinute] = parts;
  if (!isDay(day!)) return "no_such_day";
  // RFC 3339 5.6: a second of 60 is a leap second, which counts here as the one that follows.
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return "no_moment";
  if (!zulu && !sign) return "no_zone";
  if (Number(zoneHour ?? 0) > 23 || Number(zoneMinute ?? 0) > 59) return "no_moment";
  const clock = Number(hour) * 3600 + Number(minute) * 60 + Number(second);
  const zone = (sign === "-" ? -1 : 1) * (Number(zoneHour ?? 0) * 3600 + Number(zoneMinute ?? 0) * 60);
  const milliseconds = Math.trunc(Number(fraction ?? 0) * 1000);
  return {
    kind: "instant",
    text: text.toUpperCase().replace(" ", "T"),
    milliseconds: startOfDay(day!) + (clock - zone) * 1000 + milliseconds,
  };
}

/** The first millisecond of a day in UTC. */
export function startOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

function isDay(day: string): boolean {
  const start = startOfDay(day);
  return !Number.isNaN(start) && new Date(start).toISOString().startsWith(day);
}
