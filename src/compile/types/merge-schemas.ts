import { isDeepStrictEqual } from "node:util";
import type { Json } from "../../model/json.ts";
import type { Schema, SchemaType } from "../../model/schema.ts";
import { listTypes } from "./list-types.ts";

type Keyword = keyof Schema;
type Value<K extends Keyword> = NonNullable<Schema[K]>;
/** Of all that several schemas say by one keyword, in their order; each is looked at once, as there may be thousands. */
type Merge<K extends Keyword> = (said: readonly Value<K>[]) => Value<K>;

const largest = (said: readonly number[]) => said.reduce((most, one) => Math.max(most, one));
const smallest = (said: readonly number[]) => said.reduce((least, one) => Math.min(least, one));

/** How schemas that must all hold say one thing; a keyword that is absent here keeps the first one's word. */
const MERGES: { readonly [K in Keyword]?: Merge<K> } = {
  type: (said) => said.reduce(commonTypes),
  enum: (said) => said.reduce(commonValues),
  properties: mergeProperties,
  patternProperties: mergeProperties,
  required: (said) => [...new Set(said.flat())],
  items: together,
  additionalProperties: together,
  minimum: largest,
  exclusiveMinimum: largest,
  minLength: largest,
  minItems: largest,
  minProperties: largest,
  maximum: smallest,
  exclusiveMaximum: smallest,
  maxLength: smallest,
  maxItems: smallest,
  maxProperties: smallest,
  readOnly: either,
  writeOnly: either,
  deprecated: either,
  uniqueItems: either,
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
  if (values.length === 1 || !Object.hasOwn(MERGES, keyword)) return values[0];
  const merge = MERGES[keyword as Keyword] as (said: readonly unknown[]) => unknown;
  return merge(values);
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
function commonTypes(a: Value<"type">, b: Value<"type">): Value<"type"> {
  const [left, right] = [listTypes(a), listTypes(b)];
  const common = left.flatMap((one): SchemaType[] => {
    if (right.includes(one)) return [one];
    if (one === "number" && right.includes("integer")) return ["integer"];
    return one === "integer" && right.includes("number") ? ["integer"] : [];
  });
  return common.length === 0 ? a : common;
}
