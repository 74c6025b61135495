import { isDeepStrictEqual } from "node:util";
import type { Json } from "../../model/json.ts";
import type { Schema, SchemaType } from "../../model/schema.ts";

type Keyword = keyof Schema;
type Merge = (a: never, b: never) => unknown;

const tightest = { lower: Math.max, upper: Math.min };

/** How two schemas that must both hold say one thing; a keyword that is absent here keeps the first one's word. */
const MERGES: Partial<Record<Keyword, Merge>> = {
  type: commonTypes as Merge,
  enum: ((a: readonly Json[], b: readonly Json[]) =>
    a.filter((one) => b.some((two) => isDeepStrictEqual(one, two)))) as Merge,
  properties: mergeProperties as Merge,
  patternProperties: mergeProperties as Merge,
  required: ((a: readonly string[], b: readonly string[]) => [...new Set([...a, ...b])]) as Merge,
  items: both as Merge,
  additionalProperties: both as Merge,
  minimum: tightest.lower as Merge,
  exclusiveMinimum: tightest.lower as Merge,
  minLength: tightest.lower as Merge,
  minItems: tightest.lower as Merge,
  minProperties: tightest.lower as Merge,
  maximum: tightest.upper as Merge,
  exclusiveMaximum: tightest.upper as Merge,
  maxLength: tightest.upper as Merge,
  maxItems: tightest.upper as Merge,
  maxProperties: tightest.upper as Merge,
  readOnly: either as Merge,
  writeOnly: either as Merge,
  deprecated: either as Merge,
  uniqueItems: either as Merge,
};

/** One schema that says what both say: the tightest limits, all properties, all that is required. Neither may hold `allOf` or `$ref`. */
export function mergeSchemas(a: Schema, b: Schema): Schema {
  const merged = new Map<string, unknown>(Object.entries(a));
  for (const [keyword, value] of Object.entries(b)) {
    const known = merged.get(keyword);
    const merge = Object.hasOwn(MERGES, keyword) ? MERGES[keyword as Keyword] : undefined;
    if (known === undefined) merged.set(keyword, value);
    else if (merge !== undefined) merged.set(keyword, merge(known as never, value as never));
  }
  return Object.fromEntries(merged) as Schema;
}

function mergeProperties(a: Readonly<Record<string, Schema>>, b: Readonly<Record<string, Schema>>) {
  const merged = new Map(Object.entries(a));
  for (const [name, schema] of Object.entries(b)) {
    const known = merged.get(name);
    merged.set(name, known === undefined ? schema : both(known, schema));
  }
  return Object.fromEntries(merged);
}

function both(a: Schema, b: Schema): Schema {
  return a === b ? a : { allOf: [a, b] };
}

function either(a: boolean, b: boolean): boolean {
  return a || b;
}

/** Where no type is common the spec contradicts itself, and the first is believed. */
function commonTypes(a: Schema["type"], b: Schema["type"]): Schema["type"] {
  const [left, right] = [typeList(a), typeList(b)];
  const common = left.flatMap((one): SchemaType[] => {
    if (right.includes(one)) return [one];
    if (one === "number" && right.includes("integer")) return ["integer"];
    return one === "integer" && right.includes("number") ? ["integer"] : [];
  });
  return common.length === 0 ? a : common;
}

function typeList(type: Schema["type"]): readonly SchemaType[] {
  if (type === undefined) return [];
  return typeof type === "string" ? [type] : (type as readonly SchemaType[]);
}
