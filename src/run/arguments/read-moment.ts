import type { Json } from "../../model/json.ts";
import { type MomentFault, parseMoment } from "./parse-moment.ts";
import { type Argument, type Reading, refuse } from "./reading.ts";
import { writeMoment } from "./write-moment.ts";

const MUST_BE: Readonly<Record<"date" | "date-time", Readonly<Record<MomentFault, string>>>> = {
  "date-time": {
    no_moment: "a date and time as in 2026-01-31T09:30:00Z, or a date as in 2026-01-31",
    no_zone: "a date and time with its zone: end it with Z or an offset such as +02:00",
    no_such_day: "a day that exists in the calendar",
  },
  date: {
    no_moment: "a date as in 2026-01-31",
    no_zone: "a date as in 2026-01-31, without a time",
    no_such_day: "a day that exists in the calendar",
  },
};

/** An RFC 3339 text. A date alone, where a date-time is wanted, is sent as the start of its day in UTC. */
export function readMoment(
  kind: "date" | "date-time",
  raw: Json,
  path: string,
  reading: Reading,
): Argument | undefined {
  if (typeof raw !== "string") return refuse(reading, path, MUST_BE[kind].no_moment, raw);
  const moment = parseMoment(raw);
  if (typeof moment === "string") return refuse(reading, path, MUST_BE[kind][moment], raw);
  if (kind === "date" && moment.kind === "instant") return refuse(reading, path, MUST_BE.date.no_zone, raw);
  const caller = moment.kind === "day" ? moment.day : moment.text;
  return { caller, wire: writeMoment(moment, { as: kind }) };
}
