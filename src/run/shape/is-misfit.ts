import { isJsonObject, type Json, type JsonObject } from "../../model/json.ts";

/**
 * Whether no field finds anything in what is no object: a row of nulls would hide that it is not what was promised. Null stands for nothing, and
 * has nothing, and so does an empty list: some servers write an empty object so.
 */
export function isMisfit(source: Json, row: JsonObject): boolean {
  if (source === null || isJsonObject(source) || (Array.isArray(source) && source.length === 0)) return false;
  const cells = Object.values(row);
  return cells.length > 0 && cells.every((cell) => cell === null);
}
