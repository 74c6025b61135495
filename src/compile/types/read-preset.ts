import type { Json } from "../../model/json.ts";
import type { ValueType } from "../../model/value.ts";
import { isPlain } from "../words/plain-text.ts";
import { shownText } from "./read-enum.ts";
import { refuseValue } from "./refuse-value.ts";

const LONGEST = 200;

/** A default of the spec as callers write it; undefined where there is none that fits the type, or none worth telling. */
export function readPreset(raw: Json | undefined, type: ValueType): Json | undefined {
  if (raw === undefined || raw === null || type.kind === "json" || type.kind === "map") return undefined;
  const value = callerForm(raw, type);
  return isTellable(value) && refuseValue(value, type) === undefined && JSON.stringify(value).length <= LONGEST
    ? value
    : undefined;
}

/** A default that hides something from a person is none for a model either. */
export function isTellable(value: Json): boolean {
  // Not of its JSON, which writes a control as an escape.
  if (typeof value === "string") return isPlain(value);
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([name, one]) => isPlain(name) && isTellable(one));
}

/** Callers write the values of an enum, and integers beyond 2^53, as text. */
export function callerForm(raw: Json, type: ValueType): Json {
  if (type.kind === "enum" && raw !== null) return shownText(raw);
  if (type.kind === "integer" && type.digits === true && typeof raw === "number") return String(raw);
  return type.kind === "array" && Array.isArray(raw) ? raw.map((one: Json) => callerForm(one, type.items)) : raw;
}
