import { Decimal } from "decimal.js";
import type { WireType } from "../../model/call.ts";
import { isJsonObject, type Json } from "../../model/json.ts";
import { exactDigits, exactNumber, plainDigits } from "./exact-number.ts";

const INTEGER = /^(-?[1-9]\d*|0)$/;
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d{1,3})?$/;
const Exact = Decimal.clone({ precision: 400 });

/** A value in the type that its place takes, without loss; undefined where there is no such value. Null is not for this function. */
export function convertValue(value: Json, type: WireType): Json | undefined {
  return CONVERTERS[type](value);
}

const CONVERTERS: Readonly<Record<WireType, (value: Json) => Json | undefined>> = {
  any: (value) => value,
  string: toText,
  integer: (value) => toNumber(value, INTEGER),
  number: (value) => toNumber(value, NUMBER),
  boolean: (value) =>
    value === "true" ? true : value === "false" ? false : typeof value === "boolean" ? value : undefined,
  array: (value) => (Array.isArray(value) ? value : undefined),
  object: (value) => (isJsonObject(value) && exactDigits(value) === undefined ? value : undefined),
};

function toText(value: Json): Json | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number") return Number.isFinite(value) ? plainDigits(value) : undefined;
  if (typeof value === "boolean") return String(value);
  return exactDigits(value);
}

function toNumber(value: Json, form: RegExp): Json | undefined {
  if (typeof value === "number") {
    // An integer beyond 2^53 that arrives as a number may have lost digits already.
    const isExact = Number.isInteger(value) ? Number.isSafeInteger(value) || form === NUMBER : form === NUMBER;
    return Number.isFinite(value) && isExact ? value : undefined;
  }
  const digits = typeof value === "string" ? value : exactDigits(value);
  if (digits === undefined || digits.length > 400 || !form.test(digits)) return undefined;
  const number = Number(digits);
  return Number.isFinite(number) &&
    new Exact(digits).eq(number) &&
    (Number.isSafeInteger(number) || !INTEGER.test(digits))
    ? number
    : exactNumber(digits);
}
