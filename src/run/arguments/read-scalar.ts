import { Decimal } from "decimal.js";
import { boundText } from "../../model/bound-text.ts";
import { isJsonObject, type Json } from "../../model/json.ts";
import { nearestNames } from "../../model/nearest.ts";
import type { Bounds, ValueType } from "../../model/value.ts";
import { countCharacters } from "../clip-characters.ts";
import { exactDigits, exactNumber, lossless } from "../request/exact-number.ts";
import { parseExactly } from "./parse-exactly.ts";
import { type Argument, type Reading, refuse } from "./reading.ts";

type Kind<K extends ValueType["kind"]> = Extract<ValueType, { kind: K }>;

const INTEGER = /^-?(0|[1-9]\d{0,39})$/;
// No exponent: a text such as 1e3 is as likely an identifier as a number.
const DECIMAL = /^-?(0|[1-9]\d{0,39})(\.\d{1,40})?$/;
/** Where a string states no `maxLength` that allows more. */
const MOST_CHARACTERS = 65_536;
const MOST_FILE_CHARACTERS = 16_000_000;
const MOST_ENUM_ECHOED = 50;
const Exact = Decimal.clone({ precision: 100 });

/** A text as it is; a number that a client sent in place of its digits becomes these, where they are certain. */
export function readText(type: Kind<"string">, raw: Json, path: string, reading: Reading): Argument | undefined {
  if (type.file === true) return readFileArgument(raw, path, reading);
  const text = typeof raw === "number" ? digitsOf(raw) : raw;
  if (typeof text !== "string")
    return refuse(reading, path, typeof raw === "number" ? "a text, its digits in quotes" : "a text", raw);
  const most = Math.max(MOST_CHARACTERS, type.maxLength ?? 0);
  if (text.length > 2 * most) return refuse(reading, path, `at most ${type.maxLength ?? most} characters long`, text);
  const length = countCharacters(text);
  if (length > (type.maxLength ?? most))
    return refuse(reading, path, `at most ${type.maxLength ?? most} characters long, not ${length}`, text);
  if (length < (type.minLength ?? 0))
    return refuse(reading, path, `at least ${type.minLength} characters long, not ${length}`, text);
  if (type.pattern !== undefined && reading.matches(type.pattern, text) === false)
    return refuse(reading, path, `a text that matches the pattern ${type.pattern}`, text);
  return { caller: text, wire: text };
}

/** A data URI or a text as it is, or an object that says what the file is. What it decodes to is known when the request is written. */
function readFileArgument(raw: Json, path: string, reading: Reading): Argument | undefined {
  const parsed =
    typeof raw === "string" && /^\s*\{\s*"(base64|filename|contentType)"/.test(raw) ? parseExactly(raw) : raw;
  if (typeof raw === "string" && raw.length > MOST_FILE_CHARACTERS)
    return refuse(reading, path, `a file of at most ${MOST_FILE_CHARACTERS} characters`, raw.slice(0, 100));
  if (isJsonObject(parsed)) {
    const { base64, text } = parsed;
    if (typeof (base64 ?? text) === "string") return { caller: parsed, wire: parsed };
    return refuse(reading, path, "a file: a data URI, a text, or {base64, filename, contentType}", raw);
  }
  if (typeof raw === "string") return { caller: raw, wire: raw };
  return refuse(reading, path, "a file: a data URI or a text", raw);
}

function digitsOf(value: number): string | number {
  const text = String(value);
  // Of a longer one, or an integer beyond 2^53, digits may be lost already.
  const isCertain = Number.isInteger(value) ? Number.isSafeInteger(value) : DECIMAL.test(text) && text.length <= 16;
  return isCertain ? text : value;
}

/** An integer, or its decimal digits as text. The upstream gets a number of exactly these digits; callers see text with `digits`, and beyond 2^53. */
export function readInteger(type: Kind<"integer">, raw: Json, path: string, reading: Reading): Argument | undefined {
  const text = typeof raw === "number" && Number.isSafeInteger(raw) ? String(raw) : raw;
  if (typeof text !== "string" || !INTEGER.test(text))
    return refuse(reading, path, type.digits || isRounded(raw) ? "an integer, its digits as text" : "an integer", raw);
  const value = Number(text) + 0;
  const isExact = Number.isSafeInteger(value);
  const outside = describeOutside(type, text);
  if (outside) return refuse(reading, path, outside, raw);
  return { caller: type.digits || !isExact ? text : value, wire: isExact ? value : exactNumber(text) };
}

function isRounded(raw: Json): boolean {
  return typeof raw === "number" && Number.isInteger(raw) && !Number.isSafeInteger(raw);
}

/** A finite number, or its decimal text; where no number holds that without loss, the upstream gets exactly these digits. */
export function readNumber(type: Kind<"number">, raw: Json, path: string, reading: Reading): Argument | undefined {
  const isText = typeof raw === "string" && DECIMAL.test(raw);
  const value = isText ? (lossless(raw) ?? raw) : raw;
  if (!isText && (typeof value !== "number" || !Number.isFinite(value))) return refuse(reading, path, "a number", raw);
  const outside = describeOutside(type, String(value));
  if (outside) return refuse(reading, path, outside, raw);
  return { caller: value, wire: typeof value === "string" ? exactNumber(value) : value };
}

/** What a number must be to lie within its bounds; undefined where it does. Decimal, so that 0.3 is a multiple of 0.1. */
function describeOutside(bounds: Bounds, text: string): string | undefined {
  const value = new Exact(text);
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = bounds;
  if (minimum !== undefined && value.lt(minimum)) return `at least ${minimum}`;
  if (maximum !== undefined && value.gt(boundText(maximum))) return `at most ${boundText(maximum)}`;
  if (exclusiveMinimum !== undefined && value.lte(exclusiveMinimum)) return `greater than ${exclusiveMinimum}`;
  if (exclusiveMaximum !== undefined && value.gte(exclusiveMaximum)) return `less than ${exclusiveMaximum}`;
  if (multipleOf && !value.mod(multipleOf).isZero()) return `a multiple of ${multipleOf}`;
  return undefined;
}

export function readBoolean(raw: Json, path: string, reading: Reading): Argument | undefined {
  if (typeof raw === "boolean") return { caller: raw, wire: raw };
  if (typeof raw === "string" && /^(true|false)$/i.test(raw)) {
    const value = raw.toLowerCase() === "true";
    return { caller: value, wire: value };
  }
  return refuse(reading, path, "true or false", raw);
}

/** One of the listed texts; a number or a boolean stands for the text that spells it, or the one text of this number. */
export function readEnum(type: Kind<"enum">, given: Json, path: string, reading: Reading): Argument | undefined {
  const raw = exactDigits(given) ?? given;
  const text = typeof raw === "boolean" ? String(raw) : raw;
  const found =
    type.values.find((value) => value.text === text) ?? onlyOfNumber(type, given) ?? sameObject(type, given);
  if (found) return { caller: found.text, wire: found.wire };
  const allowed = type.values.map((value) => value.text);
  const listed = allowed.length > 8 ? "one of the values that `allowed` lists" : `one of ${allowed.join(", ")}`;
  return refuse(reading, path, listed, raw, {
    allowed: allowed.slice(0, MOST_ENUM_ECHOED),
    ...(typeof text === "string" && { nearest: nearestNames(text, allowed) }),
  });
}

/** A list or an object of the list, given as such, or as JSON that is written otherwise. */
function sameObject({ values }: Kind<"enum">, given: Json) {
  const made = values.filter(({ wire }) => typeof wire === "object");
  const value = typeof given === "string" && made.length > 0 ? parseExactly(given) : given;
  return value === undefined ? undefined : made.find(({ wire }) => isSame(wire, value));
}

/** Goes no deeper than what the document lists. */
function isSame(listed: Json, given: Json): boolean {
  if (Array.isArray(listed))
    return Array.isArray(given) && given.length === listed.length && listed.every((one, at) => isSame(one, given[at]!));
  if (!isJsonObject(listed) || exactDigits(listed) !== undefined)
    return (
      (typeof given !== "object" || given === null || exactDigits(given) !== undefined) && sameScalar(listed, given)
    );
  const names = Object.keys(listed);
  if (!isJsonObject(given) || Object.keys(given).length !== names.length) return false;
  return names.every((name) => Object.hasOwn(given, name) && isSame(listed[name]!, given[name]!));
}

function sameScalar(listed: Json, given: Json): boolean {
  return (exactDigits(listed) ?? JSON.stringify(listed)) === (exactDigits(given) ?? JSON.stringify(given));
}

/** JSON says 1.10 and 1.1 in one way, and no one knows which of two such texts was meant. */
function onlyOfNumber({ values }: Kind<"enum">, given: Json) {
  const number = typeof given === "number" ? given : Number(exactDigits(given) ?? Number.NaN);
  if (!Number.isFinite(number) || isRounded(number)) return undefined;
  const [found, ...others] = values.filter(({ text }) => DECIMAL.test(text) && Number(text) === number);
  return others.length === 0 ? found : undefined;
}
