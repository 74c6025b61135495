import { Decimal } from "decimal.js";
import type { Json } from "../../model/json.ts";

const DIGITS = Symbol("digits");

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

/** A number in plain decimal notation, without exponent, exact. */
export function plainDigits(value: number): string {
  const text = String(value);
  return text.includes("e") ? new Decimal(value).toFixed() : text;
}
