import type { Json } from "../../../model/json.ts";
import type { PortableSchema } from "../../../model/schema.ts";

/** The members of one condition of a filter (contract section 3). */
const CONDITION = ["kind", "field", "op", "value"];

/** A value of a schema's shape to begin with: what is required, else everything, one item a list. */
export function drawSkeleton(name: string, schema: PortableSchema): Json {
  const { properties = {}, required = [] } = schema;
  const names = Object.keys(properties);
  if (name === "filter" && CONDITION.every((key) => names.includes(key))) return drawObject(properties, CONDITION);
  switch (schema.type) {
    case "object":
      return drawObject(properties, required.length > 0 ? required : names);
    case "array":
      return [drawSkeleton("", schema.items ?? {})];
    case "integer":
    case "number":
      return schema.minimum ?? 0;
    case "boolean":
      return false;
    default:
      return schema.enum?.[0] ?? "";
  }
}

function drawObject(properties: Readonly<Record<string, PortableSchema>>, names: readonly string[]): Json {
  const drawn = Object.entries(properties).filter(([name]) => names.includes(name));
  return Object.fromEntries(drawn.map(([name, inner]) => [name, inner.default ?? drawSkeleton("", inner)]));
}
