import type { FieldType } from "../model/filter.ts";

/** What upstreams call their types, without letter case and separators. */
const TYPES: ReadonlyMap<string, FieldType> = new Map([
  ["string", "string"],
  ["text", "string"],
  ["varchar", "string"],
  ["keyword", "string"],
  ["char", "string"],
  ["charactervarying", "string"],
  ["utf8", "string"],
  ["id", "string"],
  ["guid", "string"],
  ["uuid", "string"],
  ["integer", "integer"],
  ["int", "integer"],
  ["smallint", "integer"],
  ["int8", "integer"],
  ["int16", "integer"],
  ["int32", "integer"],
  ["int64", "integer"],
  ["long", "integer"],
  ["bigint", "integer"],
  ["decimal", "decimal"],
  ["number", "decimal"],
  ["numeric", "decimal"],
  ["float", "decimal"],
  ["float32", "decimal"],
  ["float64", "decimal"],
  ["real", "decimal"],
  ["double", "decimal"],
  ["doubleprecision", "decimal"],
  ["money", "decimal"],
  ["boolean", "boolean"],
  ["bool", "boolean"],
  ["date", "date"],
  ["datetime", "date-time"],
  ["datetimeoffset", "date-time"],
  ["timestamp", "date-time"],
  ["timestamptz", "date-time"],
  ["timestampwithtimezone", "date-time"],
]);

/** The type of a discovered field by the upstream's own word for it; undefined where the word is not known. */
export function readFieldType(word: string): FieldType | undefined {
  return TYPES.get(word.toLowerCase().replace(/[^a-z0-9]/g, ""));
}
