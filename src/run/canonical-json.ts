import { isJsonObject, type Json } from "../model/json.ts";
import { exactDigits } from "./request/exact-number.ts";

/** JSON text in which keys are sorted, so that equal values have equal texts. */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(canonicalJson).join(",")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const digits = exactDigits(value);
  if (digits !== undefined) return digits;
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key]!)}`).join(",")}}`;
}
