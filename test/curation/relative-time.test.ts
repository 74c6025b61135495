import { expect, test } from "vitest";
import { parseRelativeTime } from "../../src/curation/relative-time.ts";

test.each([
  ["now", { amount: 0, unit: "second" }],
  ["today", { startOf: "day", amount: 0, unit: "day" }],
  ["yesterday", { startOf: "day", amount: -1, unit: "day" }],
  ["tomorrow", { startOf: "day", amount: 1, unit: "day" }],
  ["30 days ago", { amount: -30, unit: "day" }],
  ["1 month ago", { amount: -1, unit: "month" }],
  ["an hour ago", { amount: -1, unit: "hour" }],
  ["in 7 days", { amount: 7, unit: "day" }],
  ["2 weeks from now", { amount: 2, unit: "week" }],
  ["start of this month", { startOf: "month", amount: 0, unit: "month" }],
  ["start of the month", { startOf: "month", amount: 0, unit: "month" }],
  ["start of last month", { startOf: "month", amount: -1, unit: "month" }],
  ["start of next year", { startOf: "year", amount: 1, unit: "year" }],
  ["start of 3 months ago", { startOf: "month", amount: -3, unit: "month" }],
  ["start of today", { startOf: "day", amount: 0, unit: "day" }],
  ["Start  of Last Week", { startOf: "week", amount: -1, unit: "week" }],
])("%s", (words, want) => expect(parseRelativeTime(words)).toEqual({ words, ...want }));

test.each([
  "",
  "2026-01-31",
  "soon",
  "last month",
  "3 moons ago",
  "ago",
  "in days",
  "-3 days ago",
  "1.5 days ago",
  "999999 days ago",
  "start of now",
  "end of last month",
  "constructor",
  "3 days ago or so",
  `${" ".repeat(70)}now`,
])("%j is no moment in words", (words) => expect(parseRelativeTime(words)).toBeUndefined());
