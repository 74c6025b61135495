import type { InsideType } from "../../model/call.ts";
import { type FlatSchema, flattenSchema, type SchemaReader, type Spot } from "../types/flatten-schema.ts";
import { isNever } from "../types/is-never.ts";
import { listVariants } from "../types/list-variants.ts";
import type { Site } from "./find-place.ts";

const DEEPEST = 6;
const MOST = 200;

/** The texts and numbers that the spec has inside a place; what it leaves open or gives a choice of is left out. */
export function insideTypes(site: Site, reader: SchemaReader): readonly InsideType[] {
  const found: InsideType[] = [];
  if (site.spot !== undefined) walk(site.spot, [], { reader, found, left: MOST });
  return found;
}

interface Walk {
  readonly reader: SchemaReader;
  readonly found: InsideType[];
  left: number;
}

function walk(spot: Spot, pointer: readonly string[], state: Walk): void {
  state.left -= 1;
  if (state.left < 0 || pointer.length > DEEPEST) return;
  const { variants } = listVariants(flattenSchema(spot, state.reader), state.reader);
  const [only, ...others] = variants;
  if (only === undefined || others.length > 0) return;
  const [type] = only.types;
  if (type === "string" || type === "integer" || type === "number") state.found.push({ pointer, type });
  for (const [name, schema] of partsOf(only)) walk({ schema, trail: only.trail }, [...pointer, name], state);
}

function partsOf({ own, types: [type] }: FlatSchema) {
  const { items, additionalProperties: others, properties = {}, prefixItems } = own;
  if (type === "array") return items === undefined || prefixItems !== undefined ? [] : [["-", items] as const];
  if (type !== "object") return [];
  const named = Object.entries(properties);
  // Beside named ones, the values of a map cannot be told from them.
  return named.length > 0 || others === undefined || isNever(others) ? named : [["-", others] as const];
}
