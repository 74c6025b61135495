import type { RelativeTime, TimeUnit } from "../../model/value.ts";

const MILLISECONDS: Readonly<Record<Exclude<TimeUnit, "month" | "year">, number>> = {
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
};

/** The instant that a relative time means at `now`, in whole seconds. Days, weeks, months and years count in UTC. */
export function resolveTime(time: RelativeTime, now: Date): Date {
  const from = time.startOf ? startOf(time.startOf, now) : startOf("second", now);
  return move(from, time.amount, time.unit);
}

function startOf(unit: TimeUnit, moment: Date): Date {
  switch (unit) {
    case "year":
      return new Date(Date.UTC(moment.getUTCFullYear(), 0));
    case "month":
      return new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth()));
    case "week": {
      // ISO 8601: a week begins on Monday; 1970-01-05 was one.
      const monday = 4 * MILLISECONDS.day;
      return new Date(floorTo(moment.getTime() - monday, MILLISECONDS.week) + monday);
    }
    case "second":
    case "minute":
    case "hour":
    case "day":
      return new Date(floorTo(moment.getTime(), MILLISECONDS[unit]));
    default:
      return unit satisfies never;
  }
}

function floorTo(value: number, step: number): number {
  return Math.floor(value / step) * step;
}

function move(moment: Date, amount: number, unit: TimeUnit): Date {
  if (unit === "month") return moveMonths(moment, amount);
  if (unit === "year") return moveMonths(moment, 12 * amount);
  return new Date(moment.getTime() + amount * MILLISECONDS[unit]);
}

/** A day that the month does not have becomes its last: a month before 31 March is the end of February. */
function moveMonths(moment: Date, amount: number): Date {
  const moved = new Date(moment);
  moved.setUTCDate(1);
  moved.setUTCMonth(moment.getUTCMonth() + amount);
  const daysInMonth = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
  moved.setUTCDate(Math.min(moment.getUTCDate(), daysInMonth));
  return moved;
}
