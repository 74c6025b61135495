import { Decimal } from "decimal.js";
import type { FieldType, FilterField, Literal } from "../model/filter.ts";
import type { Json } from "../model/json.ts";
import { nearestNames } from "../model/nearest.ts";

/** What a value should have been; `message` goes behind the path. */
export interface ValueFault {
  readonly mustBe: string;
  readonly allowed?: readonly string[];
  readonly nearest?: readonly string[];
}

type Read = Literal | ValueFault;

const INTEGER = /^-?(0|[1-9]\d{0,39})$/;
// No exponent: a text such as 1e3 is as likely an identifier as a number.
const DECIMAL = /^-?(0|[1-9]\d{0,39})(\.\d{1,40})?$/;
const MOST_CHARACTERS = 2_000;
const MOST_ECHOED = 50;
const Exact = Decimal.clone({ precision: 100 });

/** A caller's value as the type of its field, strictly: nothing is trimmed, rounded or guessed. A JSON number or boolean stands for its text. */
export function readLiteral(field: FilterField, raw: Json): Read {
  const text = typeof raw === "number" || typeof raw === "boolean" ? String(raw) : raw;
  if (typeof text !== "string") return { mustBe: "a text" };
  if (text === "") return { mustBe: "a text that is not empty; `is_null` asks for rows without a value" };
  if (text.length > MOST_CHARACTERS) return { mustBe: `at most ${MOST_CHARACTERS} characters long` };
  // 1e21 and 0.1 + 0.2: what a client rounded is not what was meant.
  if (typeof raw === "number" && Number.isInteger(raw) && !Number.isSafeInteger(raw))
    return { mustBe: "its digits as text" };
  return READERS[field.type](text, field);
}

const READERS: Readonly<Record<FieldType, (text: string, field: FilterField) => Read>> = {
  string: (text) => ({ type: "string", text, wire: text }),
  integer: (text) => (INTEGER.test(text) ? numberLiteral("integer", text) : { mustBe: "an integer, for example 1000" }),
  decimal: (text) =>
    DECIMAL.test(text) ? numberLiteral("decimal", text) : { mustBe: "a decimal number, for example 1000 or 12.50" },
  boolean: (text) =>
    text === "true" || text === "false"
      ? { type: "boolean", text, wire: text === "true" }
      : { mustBe: "true or false" },
  date: (text) => (isDay(text) ? { type: "date", text, wire: text } : { mustBe: "a date, for example 2026-01-31" }),
  "date-time": readMoment,
  enum: readEnum,
};

function numberLiteral(type: "integer" | "decimal", text: string): Literal {
  const canonical = /^-0(\.0+)?$/.test(text) ? text.slice(1) : text;
  const number = Number(canonical);
  const isExact = type === "integer" ? Number.isSafeInteger(number) : new Exact(number).eq(canonical);
  return { type, text: canonical, wire: isExact ? number : canonical };
}

function readEnum(text: string, field: FilterField): Read {
  const values = field.values ?? [];
  const found = values.find((value) => value.text === text);
  if (found) return { ...wireLiteral(found.wire), caller: text };
  const allowed = values.map((value) => value.text);
  return {
    mustBe: allowed.length > 8 ? "one of the values that `allowed` lists" : `one of ${allowed.join(", ")}`,
    allowed: allowed.slice(0, MOST_ECHOED),
    nearest: nearestNames(text, allowed),
  };
}

/** A value in the upstream's own form: what the conversion of a form, or a list of values, gives. */
export function wireLiteral(wire: string | number | boolean): Literal {
  if (typeof wire === "string") return { type: "enum", text: wire, wire };
  if (typeof wire === "boolean") return { type: "boolean", text: String(wire), wire };
  return { type: Number.isInteger(wire) ? "integer" : "decimal", text: new Exact(wire).toFixed(), wire };
}

const INSTANT = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

/** RFC 3339 with its zone, in UTC: a plus sign is a space to half of the servers. */
function readMoment(text: string): Read {
  const mustBe = "a date-time with its zone, for example 2026-01-31T00:00:00Z";
  const parts = INSTANT.exec(text);
  if (!parts) return { mustBe };
  const [, day = "", hour, minute, second, fraction, sign, zoneHour, zoneMinute] = parts;
  const isClock = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60;
  if (!isDay(day) || !isClock || Number(zoneHour ?? 0) > 23 || Number(zoneMinute ?? 0) > 59) return { mustBe };
  const zone = (sign === "-" ? -1 : 1) * (Number(zoneHour ?? 0) * 60 + Number(zoneMinute ?? 0));
  const instant = new Date(Date.parse(`${day}T${hour}:${minute}:${second}Z`) - zone * 60_000);
  const whole = instant.toISOString().slice(0, -5);
  if (!/^\d{4}-/.test(whole) || whole.startsWith("0000")) return { mustBe };
  const digits = fraction?.replace(/0+$/, "");
  const utc = `${whole}${digits ? `.${digits}` : ""}Z`;
  return { type: "date-time", text: utc, wire: utc };
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text.startsWith("0000")) return false;
  const start = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(start) && new Date(start).toISOString().startsWith(text);
}
