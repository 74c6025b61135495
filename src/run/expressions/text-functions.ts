import { Decimal } from "decimal.js";
import { ExpressionFailed } from "../../model/errors.ts";
import type { Json } from "../../model/json.ts";
import { writeJson } from "../request/write-json.ts";
import { type Budget, boundOutput, spend, spendText } from "./budget.ts";
import { type JmesFunction, kindOf } from "./function-types.ts";

const TEXT = ["string"] as const;
const NUMBER = ["number"] as const;

/** JMESPath Community's functions on texts and numbers, and of types. */
export const TEXT_FUNCTIONS: Readonly<Record<string, JmesFunction>> = {
  abs: { takes: [NUMBER], run: ([value]: [number]) => Math.abs(value) },
  ceil: { takes: [NUMBER], run: ([value]: [number]) => Math.ceil(value) },
  floor: { takes: [NUMBER], run: ([value]: [number]) => Math.floor(value) },
  lower: { takes: [TEXT], run: ([text]: [string], budget) => spent(text, budget).toLowerCase() },
  upper: { takes: [TEXT], run: ([text]: [string], budget) => spent(text, budget).toUpperCase() },
  starts_with: { takes: [TEXT, TEXT], run: ([text, start]: [string, string]) => text.startsWith(start) },
  ends_with: { takes: [TEXT, TEXT], run: ([text, end]: [string, string]) => text.endsWith(end) },
  find_first: {
    takes: [TEXT, TEXT, NUMBER, NUMBER],
    optional: 2,
    run: (given: unknown[], budget) => find("indexOf", given, budget),
  },
  find_last: {
    takes: [TEXT, TEXT, NUMBER, NUMBER],
    optional: 2,
    run: (given: unknown[], budget) => find("lastIndexOf", given, budget),
  },
  pad_left: {
    takes: [TEXT, NUMBER, TEXT],
    optional: 1,
    run: (given: unknown[], budget) => pad("padStart", given, budget),
  },
  pad_right: {
    takes: [TEXT, NUMBER, TEXT],
    optional: 1,
    run: (given: unknown[], budget) => pad("padEnd", given, budget),
  },
  replace: { takes: [TEXT, TEXT, TEXT, NUMBER], optional: 1, run: replace },
  split: { takes: [TEXT, TEXT, NUMBER], optional: 1, run: split },
  trim: {
    takes: [TEXT, TEXT],
    optional: 1,
    run: ([text, set]: [string, string?], budget) => trim(text, set, budget, true, true),
  },
  trim_left: {
    takes: [TEXT, TEXT],
    optional: 1,
    run: ([text, set]: [string, string?], budget) => trim(text, set, budget, true, false),
  },
  trim_right: {
    takes: [TEXT, TEXT],
    optional: 1,
    run: ([text, set]: [string, string?], budget) => trim(text, set, budget, false, true),
  },
  to_number: { takes: [["any"]], run: ([value]: [unknown]) => toNumber(value) },
  to_string: { takes: [["any"]], run: ([value]: [unknown], budget) => toText(value, budget) },
  to_array: { takes: [["any"]], run: ([value]: [unknown]) => (Array.isArray(value) ? value : [value]) },
  type: { takes: [["any"]], run: ([value]: [unknown]) => kindOf(value) },
};

function spent(text: string, budget: Budget): string {
  spendText(budget, text.length);
  return text;
}

function find(how: "indexOf" | "lastIndexOf", [text, wanted, start, end]: unknown[], budget: Budget): number | null {
  const [subject, sought] = [spent(text as string, budget), wanted as string];
  if (subject === "" || sought === "") return null;
  const from = Math.max(integer(start ?? 0), 0);
  const at = subject.slice(from, integer(end ?? subject.length))[how](sought);
  return at === -1 ? null : at + from;
}

function pad(how: "padStart" | "padEnd", [text, width, padding = " "]: unknown[], budget: Budget): string {
  if ([...(padding as string)].length !== 1) throw new ExpressionFailed("Padding is one character.");
  spendText(budget, natural(width));
  return (text as string)[how](natural(width), padding as string);
}

function replace([text, wanted, by, count]: [string, string, string, number | undefined], budget: Budget): string {
  const most = count === undefined ? Number.POSITIVE_INFINITY : natural(count);
  const parts = spent(text, budget).split(wanted);
  spend(budget, parts.length);
  const replaced = Math.min(most, parts.length - 1);
  spendText(budget, text.length + replaced * by.length);
  return parts.map((part, index) => (index === 0 ? "" : index <= replaced ? by : wanted) + part).join("");
}

function split([text, by, count]: [string, string, number | undefined], budget: Budget): string[] {
  const parts = text === "" && by === "" ? [] : spent(text, budget).split(by);
  spend(budget, parts.length);
  if (count === undefined || natural(count) >= parts.length) return parts;
  return [...parts.slice(0, count), parts.slice(count).join(by)];
}

// By hand: the regular expressions that do this go through a long run of spaces quadratically.
function trim(text: string, set: string | undefined, budget: Budget, left: boolean, right: boolean): string {
  const isCut = set
    ? (character: string) => set.includes(character)
    : (character: string) => /[\s\u0085]/.test(character);
  let [start, end] = [0, spent(text, budget).length];
  while (left && start < end && isCut(text.charAt(start))) start += 1;
  while (right && end > start && isCut(text.charAt(end - 1))) end -= 1;
  spend(budget, start + text.length - end);
  return text.slice(start, end);
}

function toNumber(value: unknown): number | null {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || !/^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(value.slice(0, 400)))
    return null;
  const number = new Decimal(value.trim()).toNumber();
  return Number.isFinite(number) ? number : null;
}

function toText(value: unknown, budget: Budget): string {
  if (typeof value === "string") return value;
  boundOutput(value);
  const text = writeJson(value as Json);
  spendText(budget, text.length);
  return text;
}

function integer(value: unknown): number {
  if (!Number.isSafeInteger(value)) throw new ExpressionFailed("An integer is needed.");
  return value as number;
}

function natural(value: unknown): number {
  if (integer(value) < 0) throw new ExpressionFailed("A count cannot be negative.");
  return value as number;
}
