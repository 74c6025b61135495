import { Decimal } from "decimal.js";
import type { Json } from "../../model/json.ts";
import type { Form } from "../../model/value.ts";
import { currencyExponent } from "./currency-exponents.ts";
import { parseMoment } from "./parse-moment.ts";
import { type MomentForm, writeInstant, writeMoment } from "./write-moment.ts";

/** Why a value has no such form; a phrase that goes behind "cannot be sent:" or the like. */
export interface FormFault {
  readonly fault: string;
}
export type Converted = { readonly value: Json } | FormFault;
/** `doubt`: why the value stands as it came, a phrase. */
export type Seen = { readonly value: Json; readonly doubt?: string } | FormFault;

const Exact = Decimal.clone({ precision: 60 });
const DECIMAL = /^-?\d+(\.\d+)?$/;
/** Seconds from 0001-01-01 to 9999-12-31, what RFC 3339 can write. */
const SECONDS = { first: -62_135_596_800, last: 253_402_300_799 };

/**
 * A caller's value in the upstream's form: RFC 3339 to Unix time or a date, major to minor units, a list to comma-separated text; lists
 * item by item but for `csv`. `unit` is the currency of `minor`. Null stays null.
 */
export function convertToForm(form: Form, value: Json, options: { unit?: Json; end?: MomentForm["end"] }): Converted {
  if (value === null) return { value };
  if (form.as === "csv") return joinList(value);
  if (Array.isArray(value)) return convertAll(value, (item) => convertToForm(form, item, options));
  if (form.as === "minor") return toMinor(value, options.unit);
  const moment = typeof value === "string" ? parseMoment(value) : "no_moment";
  if (typeof moment === "string") return { fault: "it is no date or date-time of RFC 3339" };
  return { value: writeMoment(moment, { as: form.as, ...(options.end && { end: options.end }) }) };
}

/** An upstream's value in the caller's form, the other way round. What cannot be converted is a fault or stands in doubt, never passed on as if it were. */
export function convertFromForm(form: Form, value: Json, unit?: Json): Seen {
  if (value === null) return { value };
  const { as } = form;
  if (as === "csv") return { value: typeof value === "string" ? splitList(value) : value };
  if (Array.isArray(value)) return convertAll(value, (item) => convertFromForm(form, item, unit));
  switch (as) {
    case "minor":
      return fromMinor(value, unit);
    case "unix":
      return fromUnix(value, 1);
    case "unix-ms":
      return fromUnix(value, 1000);
    case "date":
      return fromDate(value);
    default:
      return as satisfies never;
  }
}

function convertAll(values: readonly Json[], convert: (value: Json) => Seen): Seen {
  const converted: Json[] = [];
  let doubt: string | undefined;
  for (const value of values) {
    const one = convert(value);
    if ("fault" in one) return one;
    doubt ??= one.doubt;
    converted.push(one.value);
  }
  return doubt === undefined ? { value: converted } : { value: converted, doubt };
}

function joinList(value: Json): Converted {
  const texts = (Array.isArray(value) ? value : [value]).map((item) => (typeof item === "object" ? "," : String(item)));
  if (texts.some((text) => text.includes(",")))
    return { fault: "an item holds a comma, which the upstream reads as the end of it" };
  return { value: texts.join(",") };
}

function splitList(text: string): string[] {
  if (text.trim() === "") return [];
  return readQuoted(text) ?? text.split(",").map((item) => item.trim());
}

/** RFC 4180 2.6 and 2.7: an item in quotes may hold commas. Undefined where no item is in quotes, or a quote is a character like any other. */
function readQuoted(text: string): string[] | undefined {
  if (!/(?:^|,)\s*"/.test(text)) return undefined;
  const items: string[] = [];
  let found: RegExpExecArray | null;
  ITEM.lastIndex = 0;
  do {
    found = ITEM.exec(text);
    if (found === null) return undefined;
    const [, quoted, plain = ""] = found;
    items.push(quoted?.replaceAll('""', '"') ?? plain.trim());
  } while (found[0].endsWith(","));
  return items;
}

/** Up to the next comma that is not inside quotes, with it. */
const ITEM = /(?:\s*"((?:[^"]|"")*)"\s*|(\s*[^",\s][^,]*|\s*))(?:,|$)/y;

function toMinor(value: Json, unit: Json | undefined): Converted {
  const exponent = exponentOf(unit);
  if (typeof exponent === "object") return exponent;
  const amount = decimalOf(value);
  if (!amount) return { fault: "it is no number" };
  const minor = amount.times(Exact.pow(10, exponent));
  if (!minor.isInteger()) return { fault: `${String(unit)} has ${exponent} decimal digits` };
  return Number.isSafeInteger(minor.toNumber()) ? { value: minor.toNumber() } : { fault: "it is too large" };
}

function fromMinor(value: Json, unit: Json | undefined): Converted {
  const exponent = exponentOf(unit);
  if (typeof exponent === "object") return exponent;
  const amount = decimalOf(value);
  if (!amount) return { fault: "it is no number" };
  const major = amount.div(Exact.pow(10, exponent));
  // An amount with more digits than a number holds stays exact as text.
  return { value: new Exact(major.toNumber()).eq(major) ? major.toNumber() : major.toFixed() };
}

function exponentOf(unit: Json | undefined): number | FormFault {
  if (typeof unit !== "string") return { fault: "its currency is not known" };
  return currencyExponent(unit) ?? { fault: `ISO 4217 knows no minor unit of ${unit.slice(0, 20)}` };
}

function fromUnix(value: Json, perSecond: number): Converted {
  const ticks = decimalOf(value);
  // Some upstreams answer RFC 3339 where they take numbers.
  if (!ticks) return typeof value === "string" && typeof parseMoment(value) === "object" ? { value } : notUnix;
  const seconds = ticks.div(perSecond);
  if (seconds.lt(SECONDS.first) || seconds.gt(SECONDS.last)) return notUnix;
  const whole = writeInstant(seconds.floor().times(1000).toNumber());
  const fraction = seconds.minus(seconds.floor());
  return { value: fraction.isZero() ? whole : `${whole.slice(0, -1)}${digitsOf(fraction)}Z` };
}

/** `.5`; three digits where that is enough, as for whole milliseconds everywhere. */
function digitsOf(fraction: Decimal): string {
  return fraction.toFixed(Math.max(3, fraction.decimalPlaces())).slice(1);
}

/** How servers that know no dates alone write one. */
const MIDNIGHT = /^(\d{4}-\d{2}-\d{2})[Tt ]00:00:00(\.0+)?$/;

/** Which day `10/03/2024` is nobody can say. */
function fromDate(value: Json): Seen {
  const text = typeof value === "string" ? (MIDNIGHT.exec(value)?.[1] ?? value) : "";
  const moment = parseMoment(text);
  if (typeof moment === "object") return { value: text };
  return { value, doubt: moment === "no_zone" ? "it is a time without a zone" : "it is no date of RFC 3339" };
}

const notUnix: FormFault = { fault: "it is no Unix time" };

function decimalOf(value: Json): Decimal | undefined {
  if (typeof value === "number") return new Exact(value);
  return typeof value === "string" && DECIMAL.test(value) ? new Exact(value) : undefined;
}
