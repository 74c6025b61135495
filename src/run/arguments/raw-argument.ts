import { isJsonObject, type Json, ownValue } from "../../model/json.ts";
import { parseExactly } from "./parse-exactly.ts";

/** What is longer is refused with the other arguments. */
const MOST_TEXT = 1_000_000;

/** One of a call's arguments as it was sent, before any is looked at; undefined where it is absent, null or an empty text. */
export function rawArgument(raw: unknown, name: string): Json | undefined {
  const given = typeof raw === "string" && raw.length <= MOST_TEXT ? parseExactly(raw) : raw;
  const value = isJsonObject(given) ? ownValue(given, name) : undefined;
  return value === null || (typeof value === "string" && value.trim() === "") ? undefined : value;
}
