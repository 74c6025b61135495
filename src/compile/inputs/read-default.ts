import { parseRelativeTime } from "../../curation/relative-time.ts";
import type { Json } from "../../model/json.ts";
import { nearestNames } from "../../model/nearest.ts";
import type { Input } from "../../model/tool.ts";
import type { ValueType } from "../../model/value.ts";
import { type EntryPath, hintFor, type Report } from "../open-report.ts";
import { enumText } from "../types/read-enum.ts";
import { refuseValue } from "./check-literal.ts";

/** The default that an author writes: a literal in the caller's form, or for a time also words. */
export function readDefault(raw: Json, type: ValueType, at: EntryPath, report: Report): Input["default"] {
  if (typeof raw === "string" && (type.kind === "date" || type.kind === "date-time")) {
    const time = parseRelativeTime(raw);
    if (time !== undefined) return { kind: "relative", time };
  }
  const value = callerForm(raw, type);
  const wanted = refuseValue(value, type);
  if (wanted === undefined) return { kind: "literal", value };
  const texts = type.kind === "enum" ? type.values.map(({ text }) => text) : [];
  const hint = texts.length > 0 ? hintFor(nearestNames(String(value), texts), texts) : hintOf(raw, type);
  report.add("error", "bad_default", at, `The default ${JSON.stringify(raw).slice(0, 60)} is not ${wanted}.`, hint);
  return undefined;
}

/** The default of the spec, where the place needs a value and so has this one; undefined where it does not fit the input. */
export function specDefault(raw: Json, type: ValueType): Input["default"] {
  const value = callerForm(raw, type);
  return value === null || refuseValue(value, type) !== undefined ? undefined : { kind: "literal", value };
}

/** Callers write the values of an enum, and integers beyond 2^53, as text. */
function callerForm(raw: Json, type: ValueType): Json {
  if (type.kind === "enum" && raw !== null) return enumText(raw);
  if (type.kind === "integer" && type.digits === true && typeof raw === "number") return String(raw);
  return type.kind === "array" && Array.isArray(raw) ? raw.map((one: Json) => callerForm(one, type.items)) : raw;
}

function hintOf(raw: Json, type: ValueType): string | undefined {
  const isWords = typeof raw === "string" && parseRelativeTime(raw) !== undefined;
  return isWords && type.kind !== "date-time" ? "Set `type: date-time` where the words mean a time." : undefined;
}
