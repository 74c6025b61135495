import { isJsonObject, type Json } from "../../model/json.ts";
import type { ValueType } from "../../model/value.ts";
import { exactDigits, lossless, withoutExact } from "../request/exact-number.ts";
import { boundArguments } from "./bound-arguments.ts";
import { parseExactly } from "./parse-exactly.ts";
import { type Argument, pinnedFault, type Reading, refuse } from "./reading.ts";

type JsonType = Extract<ValueType, { kind: "json" }>;

/** Free-form data: JSON as text becomes what it says, a text that is no JSON stays a text, and so does one that the upstream takes as a text. */
export function readJson(type: JsonType, raw: Json, path: string, reading: Reading): Argument | undefined {
  const parsed = typeof raw === "string" ? parseExactly(raw) : undefined;
  const text = typeof raw === "string" ? readAsText(type, raw, parsed, path, reading) : undefined;
  if (text !== undefined) return text;
  const value = parsed === undefined ? raw : parsed;
  const fault = boundArguments(value, path) ?? findPinned(value, path, reading.pinnedInside);
  if (fault) {
    reading.faults.push(fault);
    return undefined;
  }
  const rounded = findRounded(value, path);
  if (rounded !== undefined) return refuse(reading, rounded, "JSON as text: a number so large was rounded", raw);
  const wire = settleInside(value);
  return { caller: withoutExact(wire), wire };
}

/** A text as one that the upstream takes beside other kinds of value; undefined where it takes none like it. */
function readAsText(
  { texts = [], nested }: JsonType,
  raw: string,
  parsed: Json | undefined,
  path: string,
  reading: Reading,
): Argument | undefined {
  const isNested = typeof parsed === "object" && parsed !== null && exactDigits(parsed) === undefined;
  if ((nested && isNested) || (reading.textIsJson && parsed !== undefined)) return undefined;
  const before = reading.faults.length;
  for (const type of texts) {
    const argument = reading.read(type, raw, path);
    reading.faults.length = before;
    if (argument) return argument;
  }
  return undefined;
}

/** Where a number beyond 2^53 stands that came as one: what it was before it was parsed is not known. */
function findRounded(value: Json, path: string): string | undefined {
  if (typeof value === "number") return Number.isInteger(value) && !Number.isSafeInteger(value) ? path : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [name, inside] of Object.entries(value) as [string, Json][]) {
    const found = findRounded(inside, Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Exact numbers only where a JavaScript number is another one. */
function settleInside(value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  const digits = exactDigits(value);
  if (digits !== undefined) return lossless(digits) ?? value;
  if (!isJsonObject(value)) return (value as readonly Json[]).map(settleInside);
  return Object.fromEntries(Object.entries(value).map(([name, inside]) => [name, settleInside(inside)]));
}

/** A pin reaches no name inside free-form data, so such a name is refused there. */
function findPinned(value: Json, path: string, pinned: ReadonlySet<string>) {
  if (pinned.size === 0) return undefined;
  const open: { value: Json; path: string }[] = [{ value, path }];
  for (let one = open.pop(); one; one = open.pop()) {
    const { value: here, path: at } = one;
    if (Array.isArray(here)) open.push(...here.map((item: Json, index) => ({ value: item, path: `${at}[${index}]` })));
    if (!isJsonObject(here)) continue;
    for (const [name, inside] of Object.entries(here)) {
      if (pinned.has(name.toLowerCase())) return pinnedFault(`${at}.${name}`);
      open.push({ value: inside, path: `${at}.${name}` });
    }
  }
  return undefined;
}
