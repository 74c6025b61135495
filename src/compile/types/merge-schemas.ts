import { isDeepStrictEqual } from "node:util";
import type { Json } from "../../model/json.ts";
import type { Schema, SchemaType } from "../../model/schema.ts";

type Keyword = keyof Schema;
/** Of all that several schemas say by one keyword, in their order; each is looked at once, as there may be thousands. */
type Merge = (said: readonly never[]) => unknown;

const largest = (said: readonly number[]) => said.reduce((most, one) => Math.max(most, one));
const smallest = (said: readonly number[]) => said.reduce((least, one) => Math.min(least, one));

/** How schemas that must all hold say one thing; a keyword that is absent here keeps the first one's word. */
const MERGES: Partial<Record<Keyword, Merge>> = {
  type: ((said: readonly Schema["type"][]) => said.reduce(commonTypes)) as Merge,
  enum: ((said: readonly (readonly Json[])[]) => said.reduce(commonValues)) as Merge,
  properties: mergeProperties as Merge,
  patternProperties: mergeProperties as Merge,
  required: ((said: readonly (readonly string[])[]) => [...new Set(said.flat())]) as Merge,
  items: together as Merge,
  additionalProperties: together as Merge,
  minimum: largest as Merge,
  exclusiveMinimum: largest as Merge,
  minLength: largest as Merge,
  minItems: largest as Merge,
  minProperties: largest as Merge,
  maximum: smallest as Merge,
  exclusiveMaximum: smallest as Merge,
  maxLength: smallest as Merge,
  maxItems: smallest as Merge,
  maxProperties: smallest as Merge,
  readOnly: either as Merge,
  writeOnly: either as Merge,
  deprecated: either as Merge,
  uniqueItems: either as Merge,
};

/** One schema that says what all say: the tightest limits, all properties, all that is required. None may hold `allOf` or `$ref`. */
export function mergeSchemas(schemas: readonly Schema[]): Schema {
  const [first, ...others] = schemas;
  if (first === undefined || others.length === 0) return first ?? {};
  const said = new Map<string, unknown[]>();
  for (const [keyword, value] of schemas.flatMap((schema) => Object.entries(schema))) {
    if (value === undefined) continue;
    const known = said.get(keyword);
    if (known === undefined) said.set(keyword, [value]);
    else known.push(value);
  }
  return Object.fromEntries([...said].map(([keyword, values]) => [keyword, mergeValues(keyword, values)])) as Schema;
}

function mergeValues(keyword: string, values: readonly unknown[]): unknown {
  const merge = Object.hasOwn(MERGES, keyword) ? MERGES[keyword as Keyword] : undefined;
  return merge === undefined || values.length === 1 ? values[0] : merge(values as readonly never[]);
}

function mergeProperties(said: readonly Readonly<Record<string, Schema>>[]) {
  const merged = new Map<string, Schema[]>();
  for (const [name, schema] of said.flatMap((properties) => Object.entries(properties))) {
    const known = merged.get(name);
    if (known === undefined) merged.set(name, [schema]);
    else known.push(schema);
  }
  return Object.fromEntries([...merged].map(([name, schemas]) => [name, together(schemas)]));
}

function together(schemas: readonly Schema[]): Schema {
  const distinct = [...new Set(schemas)];
  return distinct.length === 1 ? distinct[0]! : { allOf: distinct };
}

function commonValues(a: readonly Json[], b: readonly Json[]): readonly Json[] {
  const known = new Set(b);
  const objects = b.filter((one) => typeof one === "object");
  return a.filter((one) => known.has(one) || objects.some((two) => isDeepStrictEqual(one, two)));
}

function either(said: readonly boolean[]): boolean {
  return said.some((one) => one);
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
