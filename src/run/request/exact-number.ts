import { Decimal } from "decimal.js";
import { isJsonObject, type Json } from "../../model/json.ts";

const DIGITS = Symbol("digits");
const MOST_DIGITS = 400;
const Exact = Decimal.clone({ precision: MOST_DIGITS });

interface ExactNumber {
  readonly [DIGITS]: string;
}

/**
 * A number that no JavaScript number holds, kept by its digits on the way to the upstream, where it is written as a bare JSON number. `digits` is
 * a JSON number.
 */
export function exactNumber(digits: string): Json {
  return Object.freeze({ [DIGITS]: digits }) as object as Json;
}

/** The digits of an exact number, undefined for any other value. No JSON text can make one. */
export function exactDigits(value: Json): string | undefined {
  return typeof value === "object" && value !== null ? (value as Partial<ExactNumber>)[DIGITS] : undefined;
}

/** The value with text in the place of each exact number, as callers see them. */
export function withoutExact(value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  const digits = exactDigits(value);
  if (digits !== undefined) return digits;
  if (!isJsonObject(value)) return (value as readonly Json[]).map(withoutExact);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutExact(inner)]));
}

/** The number that `digits` are, undefined where a JavaScript number is another one. */
export function lossless(digits: string): number | undefined {
  const number = Number(digits);
  if (!Number.isFinite(number) || (Number.isInteger(number) && !Number.isSafeInteger(number))) return undefined;
  // Longer ones are not worth the time of telling.
  return digits.length <= MOST_DIGITS && new Exact(digits).eq(number) ? number : undefined;
}

/** A number in plain decimal notation, without exponent, exact. */
export function plainDigits(value: number): string {
  const text = String(value);
  return text.includes("e") ? new Decimal(value).toFixed() : text;
}
