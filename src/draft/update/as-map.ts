import type { Json, JsonObject } from "../../model/json.ts";

/** Whatever is no map is an empty one. */
export function mapOf(value: Json | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

export function entriesOf(content: JsonObject, section: string): [string, Json][] {
  return Object.entries(mapOf(content[section])) as [string, Json][];
}
