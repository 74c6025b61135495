import type { Schema } from "../../../model/schema.ts";
import { type Column, typeOf } from "./reply-columns.ts";

/** The fewest bytes of a row as JSON: its names, and the least that a value can take. */
export function smallestRow(columns: readonly Column[]): number {
  // {"name":value,…} and the comma behind the row.
  return columns.reduce((sum, column) => sum + Buffer.byteLength(column.name) + 4 + smallestValue(column), 2);
}

const FORMATS: Readonly<Record<string, number>> = { uuid: 38, "date-time": 22, date: 12, email: 7, uri: 9 };

function smallestValue({ schema, form }: Column): number {
  if (form !== undefined && form.as !== "csv") return form.as === "minor" ? 1 : 12;
  if (schema === undefined) return 1;
  const least = smallestOf(schema);
  const mayBeNull = Array.isArray(schema.type) && schema.type.includes("null");
  return mayBeNull ? Math.min(least, 4) : least;
}

function smallestOf(schema: Schema): number {
  const { enum: values = [] } = schema;
  if (values.length > 0) return Math.min(...values.map((value) => JSON.stringify(value).length));
  switch (typeOf(schema)) {
    case "string":
      return FORMATS[schema.format ?? ""] ?? 2 + (schema.minLength ?? 0);
    case "boolean":
      return 4;
    case "object":
    case "array":
      return 2;
    default:
      return 1;
  }
}
