import { type Moment, startOfDay } from "./parse-moment.ts";

const DAY_MS = 86_400_000;
const LAST_DAY = startOfDay("9999-12-31");

/** How the upstream wants a moment, and how it reads an end. */
export interface MomentForm {
  readonly as: "date" | "date-time" | "unix" | "unix-ms";
  readonly end?: "inclusive" | "exclusive";
}

/**
 * The upstream's form of a moment; an instant that is sent as `date-time` stays as the caller wrote it.
 *
 * An end that is a day alone means that whole day. Where the upstream excludes the end it gets the start of the next day; where it
 * includes the end it gets the day itself (`date`) or the day's last moment (23:59:59.999Z). An instant that must be sent as a `date`
 * becomes its day in UTC, as an excluded end the day after, so that nothing the caller asked for is left out; one between two seconds that must be
 * sent as `unix` the second that has begun, as an excluded end the next.
 */
export function writeMoment(moment: Moment, form: MomentForm): string | number {
  if (form.as === "date") return writeDay(moment, form.end);
  if (moment.kind === "instant" && form.as === "date-time") return moment.text;
  const milliseconds = moment.kind === "instant" ? moment.milliseconds : instantOfDay(moment.day, form.end);
  if (form.as === "unix")
    return form.end === "exclusive" ? Math.ceil(milliseconds / 1000) : Math.floor(milliseconds / 1000);
  return form.as === "unix-ms" ? milliseconds : writeInstant(milliseconds);
}

/** RFC 3339 in UTC, with a fraction only where there is one. */
export function writeInstant(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(".000Z", "Z");
}

function writeDay(moment: Moment, end: MomentForm["end"]): string {
  const start = moment.kind === "day" ? startOfDay(moment.day) : moment.milliseconds;
  const isWholeDay = moment.kind === "instant" && start % DAY_MS === 0;
  return dayOf(end === "exclusive" && !isWholeDay ? start + DAY_MS : start);
}

function instantOfDay(day: string, end: MomentForm["end"]): number {
  const start = startOfDay(day);
  if (end === "exclusive") return Math.min(start, LAST_DAY - DAY_MS) + DAY_MS;
  return end === "inclusive" ? start + DAY_MS - 1 : start;
}

function dayOf(milliseconds: number): string {
  return new Date(Math.min(milliseconds, LAST_DAY)).toISOString().slice(0, 10);
}
