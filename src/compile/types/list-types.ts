import type { Schema, SchemaType } from "../../model/schema.ts";

/** The types that a schema names, as a list; none where it names none. */
export function listTypes(type: Schema["type"]): readonly SchemaType[] {
  if (type === undefined) return [];
  return typeof type === "string" ? [type] : type;
}
