import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RelativeTime, ValueType } from "../../src/model/value.ts";
import { parseMoment } from "../../src/run/arguments/parse-moment.ts";
import { resolveTime } from "../../src/run/arguments/resolve-time.ts";
import { type MomentForm, writeInstant, writeMoment } from "../../src/run/arguments/write-moment.ts";
import { input, NOW, send, toolOf, validate } from "./validate-fixture.ts";

const dateTime: ValueType = { kind: "date-time" };
const date: ValueType = { kind: "date" };

describe("RFC 3339", () => {
  test.each([
    ["2026-01-31", { kind: "day", day: "2026-01-31" }],
    ["2024-02-29", { kind: "day", day: "2024-02-29" }],
    [
      "2026-01-31T09:30:00Z",
      { kind: "instant", text: "2026-01-31T09:30:00Z", milliseconds: Date.UTC(2026, 0, 31, 9, 30) },
    ],
    [
      "2026-01-31t09:30:00z",
      { kind: "instant", text: "2026-01-31T09:30:00Z", milliseconds: Date.UTC(2026, 0, 31, 9, 30) },
    ],
    [
      "2026-01-31 09:30:00+02:00",
      { kind: "instant", text: "2026-01-31T09:30:00+02:00", milliseconds: Date.UTC(2026, 0, 31, 7, 30) },
    ],
    [
      "2026-01-31T23:30:00-05:30",
      { kind: "instant", text: "2026-01-31T23:30:00-05:30", milliseconds: Date.UTC(2026, 1, 1, 5) },
    ],
    [
      "2026-01-31T09:30:00.1239Z",
      { kind: "instant", text: "2026-01-31T09:30:00.1239Z", milliseconds: Date.UTC(2026, 0, 31, 9, 30, 0, 123) },
    ],
    ["2026-12-31T23:59:60Z", { kind: "instant", text: "2026-12-31T23:59:60Z", milliseconds: Date.UTC(2027, 0, 1) }],
    ["2026-02-30", "no_such_day"],
    ["2026-13-01", "no_such_day"],
    ["2025-02-29T00:00:00Z", "no_such_day"],
    ["2026-01-31T09:30:00", "no_zone"],
    ["2026-01-31T24:00:00Z", "no_moment"],
    ["2026-01-31T09:30Z", "no_moment"],
    ["31.01.2026", "no_moment"],
    ["yesterday", "no_moment"],
    ["", "no_moment"],
  ])("%s", (text, want) => {
    expect(parseMoment(text)).toEqual(want);
  });

  test("every instant that we write reads back as itself", () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true }),
        (moment) => {
          expect(parseMoment(writeInstant(moment.getTime()))).toMatchObject({ milliseconds: moment.getTime() });
        },
      ),
    );
  });
});

describe("what the upstream gets of a moment", () => {
  const day = "2026-11-05";
  const noon = "2026-11-05T12:00:00+02:00";
  const cases: readonly [title: string, given: string, form: MomentForm, want: string | number][] = [
    ["a day is the start of it in UTC", day, { as: "date-time" }, "2026-11-05T00:00:00Z"],
    ["a day where days are wanted", day, { as: "date" }, day],
    ["a day as seconds", day, { as: "unix" }, 1_793_836_800],
    ["a day as milliseconds", day, { as: "unix-ms" }, 1_793_836_800_000],
    ["an excluded end includes its day: the next day", day, { as: "date", end: "exclusive" }, "2026-11-06"],
    [
      "an excluded end includes its day: the start of the next",
      day,
      { as: "date-time", end: "exclusive" },
      "2026-11-06T00:00:00Z",
    ],
    ["an excluded end over a month's end", "2024-02-29", { as: "date", end: "exclusive" }, "2024-03-01"],
    ["an excluded end in seconds", day, { as: "unix", end: "exclusive" }, 1_793_836_800 + 86_400],
    ["an included end is the day itself", day, { as: "date", end: "inclusive" }, day],
    [
      "an included end includes its day: its last moment",
      day,
      { as: "date-time", end: "inclusive" },
      "2026-11-05T23:59:59.999Z",
    ],
    ["an included end in seconds", day, { as: "unix", end: "inclusive" }, 1_793_836_800 + 86_399],
    ["an instant stays as it was written", noon, { as: "date-time" }, noon],
    ["an instant is itself, also as an end", noon, { as: "date-time", end: "exclusive" }, noon],
    ["an instant as seconds", noon, { as: "unix" }, 1_793_836_800 + 36_000],
    ["an instant as a day in UTC", "2026-11-05T01:00:00+02:00", { as: "date" }, "2026-11-04"],
    ["an instant as an excluded day is the day after", noon, { as: "date", end: "exclusive" }, "2026-11-06"],
    ["midnight as an excluded day is that day", "2026-11-05T00:00:00Z", { as: "date", end: "exclusive" }, day],
    ["the last day that can be written stays", "9999-12-31", { as: "date", end: "exclusive" }, "9999-12-31"],
  ];
  test.each(cases)("%s", (_, given, form, want) => {
    const moment = parseMoment(given);
    expect(typeof moment === "string" ? moment : writeMoment(moment, form)).toBe(want);
  });
});

describe("inputs", () => {
  test.each([
    ["an offset is sent as it was given", dateTime, "2024-01-02T03:04:05+02:00", {}, "2024-01-02T03:04:05+02:00"],
    ["an end as the upstream reads ends", dateTime, "2026-11-05", { end: "exclusive" }, "2026-11-06T00:00:00Z"],
    ["an end in the upstream's form", dateTime, "2026-11-05", { end: "exclusive", form: { as: "date" } }, "2026-11-06"],
    ["a date in Unix seconds", date, "2026-11-05", { form: { as: "unix" } }, 1_793_836_800],
  ] as const)("%s", async (_, type, given, more, want) => {
    expect(await send(type, given, more)).toBe(want);
  });

  test("the caller's form stays the caller's", async () => {
    const tool = toolOf([input("x", dateTime, { end: "exclusive", form: { as: "unix" } })]);
    expect((await validate(tool, { x: "2026-11-05" })).values.get("x")).toBe("2026-11-05");
  });

  test.each([
    ["a time without a zone", dateTime, "2026-01-31T09:30:00", /zone/],
    ["a time for a date", date, "2026-01-31T09:30:00Z", /without a time/],
    ["a day that does not exist", date, "2026-02-30", /exists/],
    ["a number", dateTime, 1_793_836_800, /2026-01-31/],
  ])("%s is refused", async (_, type, given, says) => {
    await expect(send(type, given)).rejects.toThrow(says);
  });
});

describe("relative times", () => {
  const at = (text: string) => new Date(text);
  const cases: readonly [words: string, time: Omit<RelativeTime, "words">, now: Date, want: string][] = [
    ["now", { amount: 0, unit: "second" }, NOW, "2026-11-29T12:34:56Z"],
    ["90 minutes ago", { amount: -90, unit: "minute" }, NOW, "2026-11-29T11:04:56Z"],
    ["30 days ago", { amount: -30, unit: "day" }, NOW, "2026-10-30T12:34:56Z"],
    ["today", { startOf: "day", amount: 0, unit: "day" }, NOW, "2026-11-29T00:00:00Z"],
    ["start of this hour", { startOf: "hour", amount: 0, unit: "hour" }, NOW, "2026-11-29T12:00:00Z"],
    ["start of this week, a Sunday", { startOf: "week", amount: 0, unit: "week" }, NOW, "2026-11-23T00:00:00Z"],
    [
      "start of this week, a Monday",
      { startOf: "week", amount: 0, unit: "week" },
      at("2026-11-30T00:00:00Z"),
      "2026-11-30T00:00:00Z",
    ],
    ["start of last month", { startOf: "month", amount: -1, unit: "month" }, NOW, "2026-10-01T00:00:00Z"],
    [
      "start of last month in January",
      { startOf: "month", amount: -1, unit: "month" },
      at("2026-01-15T00:00:00Z"),
      "2025-12-01T00:00:00Z",
    ],
    ["start of this year", { startOf: "year", amount: 0, unit: "year" }, NOW, "2026-01-01T00:00:00Z"],
    ["a month before 31 March", { amount: -1, unit: "month" }, at("2026-03-31T10:00:00Z"), "2026-02-28T10:00:00Z"],
    [
      "13 months before 31 March of a leap year",
      { amount: -13, unit: "month" },
      at("2025-03-31T10:00:00Z"),
      "2024-02-29T10:00:00Z",
    ],
    ["a year before 29 February", { amount: -1, unit: "year" }, at("2024-02-29T10:00:00Z"), "2023-02-28T10:00:00Z"],
  ];
  test.each(cases)("%s", (words, time, now, want) => {
    expect(writeInstant(resolveTime({ words, ...time }, now).getTime())).toBe(want);
  });

  test.each([
    ["today as an end includes today", "today", "2026-11-30T00:00:00Z"],
    ["start of today as an end is that instant", "start of today", "2026-11-29T00:00:00Z"],
  ])("%s", async (_, words, want) => {
    const relative = { kind: "relative", time: { words, startOf: "day", amount: 0, unit: "day" } } as const;
    const tool = toolOf([input("x", dateTime, { end: "exclusive", default: relative })]);
    expect((await validate(tool, {})).wire.get("x")).toBe(want);
  });

  test("where a date is wanted, a date comes of it", async () => {
    const relative = { kind: "relative", time: { words: "30 days ago", amount: -30, unit: "day" } } as const;
    expect((await validate(toolOf([input("x", date, { default: relative })]), {})).wire.get("x")).toBe("2026-10-30");
  });
});
