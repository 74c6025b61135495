import { isJsonObject, type Json } from "../../model/json.ts";

/** Brackets in each other that a pattern goes into. */
export const PATTERN_DEPTH = 4;
/** A pattern remembers each item of what it is in until it has matched: of longer texts that would be too much. */
export const LONGEST_TEXT = 1_000_000;

const SPACE = "[ \\t\\n\\r]*";
const PLAIN = '[^"\\\\\\x00-\\x1f]*';
const STRING = `"${PLAIN}(?:\\\\(?:["\\\\/bfnrt]|u[\\dA-Fa-f]{4})${PLAIN})*"`;
const NUMBER = "-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?";
const SCALAR = `${STRING}|${NUMBER}|true|false|null`;

/**
 * For rows with a comma behind each, `many` at a time: the grammar of RFC 8259, as `scanValue` reads it. What V8 makes of a regular expression goes through
 * bytes two to four times as fast as a loop does. At every character there is one way to go on, so that what does not match takes no longer than what does.
 */
export function patternOfRows(many: number): RegExp {
  return repeat(`${patternOfValue(PATTERN_DEPTH)}${SPACE},${SPACE}`, many);
}

function patternOfValue(depth: number): string {
  if (depth === 0) return `(?:${SCALAR})`;
  const inner = `${patternOfValue(depth - 1)}${SPACE}`;
  const list = `\\[${SPACE}(?:${inner}(?:,${SPACE}(?!\\])|(?=\\])))*\\]`;
  const object = `\\{${SPACE}(?:${STRING}${SPACE}:${SPACE}${inner}(?:,${SPACE}(?!\\})|(?=\\})))*\\}`;
  return `(?:${SCALAR}|${list}|${object})`;
}

/** In a longer row the characters of strings take the time, and not what stands between them. */
const LONGEST_ROW = 1_000;

export interface RowPatterns {
  readonly one: RegExp;
  /** Of so many at a time. */
  readonly many: RegExp;
}

/** By their source, as the rows of an operation are alike in all its answers. */
const learned = new Map<string, RowPatterns>();
const MOST_LEARNED = 100;

/**
 * The same for rows that are written as this one, which has a comma behind it: without whitespace, and of each object with the same names in the same order.
 * Undefined where there is nothing to be won.
 */
export function patternsLike(row: string, many: number): RowPatterns | undefined {
  if (row.length > LONGEST_ROW || /[ \t\n\r]/.test(row.replaceAll(STRINGS, ""))) return undefined;
  const source = `${like(JSON.parse(row.slice(0, -1)) as Json, PATTERN_DEPTH)},`;
  const known = learned.get(source) ?? { one: repeat(source, 1), many: repeat(source, many) };
  if (learned.size === MOST_LEARNED) learned.clear();
  learned.set(source, known);
  return known;
}

const STRINGS = new RegExp(STRING, "g");

function like(value: Json, depth: number): string {
  if (Array.isArray(value)) return patternOfValue(depth);
  if (!isJsonObject(value)) return `(?:${SCALAR})`;
  const members = Object.entries(value).map(([name, inner]) => `${literal(name)}:${like(inner, depth - 1)}`);
  return `(?:\\{${members.join(",")}\\}|null)`;
}

function literal(name: string): string {
  return JSON.stringify(name).replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

function repeat(source: string, many: number): RegExp {
  return new RegExp(`(?:${source}){${many}}`, "y");
}
