import { parseRelativeTime } from "../../curation/relative-time.ts";
import type { Json } from "../../model/json.ts";
import { nearestNames } from "../../model/nearest.ts";
import type { Input } from "../../model/tool.ts";
import type { ValueType } from "../../model/value.ts";
import { type EntryPath, hintFor, type Report } from "../open-report.ts";
import { callerForm, isTellable } from "../types/read-preset.ts";
import { refuseValue } from "../types/refuse-value.ts";

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
  const isFit = value !== null && isTellable(value) && refuseValue(value, type) === undefined;
  return isFit ? { kind: "literal", value } : undefined;
}

function hintOf(raw: Json, type: ValueType): string | undefined {
  const isWords = typeof raw === "string" && parseRelativeTime(raw) !== undefined;
  if (isWords && type.kind !== "date-time") return "Set `type: date-time` where the words mean a time.";
  return "A default is written as callers write the value; set `type` where the spec's is wrong.";
}
