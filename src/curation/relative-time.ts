import type { RelativeTime, TimeUnit } from "../model/value.ts";

const UNITS: readonly TimeUnit[] = ["second", "minute", "hour", "day", "week", "month", "year"];
const UNIT = `(${UNITS.join("|")})`;
const AMOUNT = "(\\d{1,5}|an?|one)";

type Moment = Omit<RelativeTime, "words">;

const DAYS: ReadonlyMap<string, Moment> = new Map<string, Moment>([
  ["now", { amount: 0, unit: "second" }],
  ["today", { startOf: "day", amount: 0, unit: "day" }],
  ["yesterday", { startOf: "day", amount: -1, unit: "day" }],
  ["tomorrow", { startOf: "day", amount: 1, unit: "day" }],
]);

const WHICH: ReadonlyMap<string, number> = new Map([
  ["the", 0],
  ["this", 0],
  ["the current", 0],
  ["last", -1],
  ["the last", -1],
  ["the previous", -1],
  ["next", 1],
  ["the next", 1],
]);

const START = new RegExp(`^start of (${[...WHICH.keys()].join("|")}) ${UNIT}$`);
const AGO = new RegExp(`^(start of )?${AMOUNT} ${UNIT}s? ago$`);
const AHEAD = new RegExp(`^(?:in ${AMOUNT} ${UNIT}s?|${AMOUNT} ${UNIT}s? from now)$`);

/**
 * Reads a moment in words: `now`, `today`, `30 days ago`, `in 7 days`, `start of last month`, `start of 3 months ago`. Undefined where the
 * words are none of these, for example an RFC 3339 time.
 */
export function parseRelativeTime(words: string): RelativeTime | undefined {
  if (words.length > 60) return undefined;
  const text = words.trim().toLowerCase().replace(/\s+/g, " ");
  const moment = DAYS.get(text) ?? DAYS.get(text.replace(/^start of (?!now)/, "")) ?? readStart(text) ?? readMove(text);
  return moment && { words: words.trim(), ...moment };
}

function readStart(text: string): Moment | undefined {
  const [, which, unit] = START.exec(text) ?? [];
  if (which === undefined) return undefined;
  return { startOf: unit as TimeUnit, amount: WHICH.get(which) ?? 0, unit: unit as TimeUnit };
}

function readMove(text: string): Moment | undefined {
  const ago = AGO.exec(text);
  if (ago !== null) {
    const [, start, amount, unit] = ago;
    return {
      ...(start !== undefined && { startOf: unit as TimeUnit }),
      amount: -amountOf(amount),
      unit: unit as TimeUnit,
    };
  }
  const ahead = AHEAD.exec(text);
  if (ahead === null) return undefined;
  return { amount: amountOf(ahead[1] ?? ahead[3]), unit: (ahead[2] ?? ahead[4]) as TimeUnit };
}

function amountOf(text = "1"): number {
  return /^\d/.test(text) ? Number(text) : 1;
}
