import { isJsonObject, type Json } from "../../model/json.ts";
import { exactDigits } from "./exact-number.ts";

/** Compact JSON, exact numbers as bare numbers. */
export function writeJson(value: Json): string {
  return holdsExact(value) ? write(value) : JSON.stringify(value);
}

function holdsExact(value: Json): boolean {
  if (typeof value !== "object" || value === null) return false;
  return exactDigits(value) !== undefined || Object.values(value).some(holdsExact);
}

function write(value: Json): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const digits = exactDigits(value);
  if (digits !== undefined) return digits;
  if (isJsonObject(value)) {
    return `{${Object.entries(value)
      .map(([key, inner]) => `${JSON.stringify(key)}:${write(inner)}`)
      .join()}}`;
  }
  return `[${(value as readonly Json[]).map(write).join()}]`;
}
