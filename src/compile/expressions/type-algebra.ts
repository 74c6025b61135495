import type { Api } from "../../model/api.ts";
import type { Json } from "../../model/json.ts";
import type { Schema } from "../../model/schema.ts";
import { type Alternative, itemOf, listAlternatives } from "./list-alternatives.ts";

/** The type of an expression is a schema: what it may give, null included. `{}` where nothing is known. */
export const ANY: Schema = {};
export const NULL: Schema = { type: "null" };
export const BOOLEAN: Schema = { type: "boolean" };
export const NUMBER: Schema = { type: "number" };
export const STRING: Schema = { type: "string" };
const NEVER: Schema = { not: {} };

/** Either of them; `{}` as soon as one is. */
export function unionOf(types: Iterable<Schema>): Schema {
  const members = new Set<Schema>();
  for (const type of types) for (const one of membersOf(type)) members.add(one);
  const found = [...members];
  if (found.some(isAny)) return ANY;
  return found.length === 1 ? found[0]! : { anyOf: found };
}

/** Only what `unionOf` made is opened: any other `anyOf` may stand beside keywords that hold for all of it. */
function membersOf(type: Schema): readonly Schema[] {
  const keys = Object.keys(type);
  return keys.length === 1 && keys[0] === "anyOf" ? (type.anyOf ?? []) : [type];
}

export function isAny(type: Schema): boolean {
  return Object.keys(type).length === 0;
}

export function orNull(type: Schema): Schema {
  return unionOf([type, NULL]);
}

/** The same without null: what is left where a projection drops nulls or `||` passes over them. */
export function withoutNull(type: Schema, api: Api): Schema {
  const alternatives = listAlternatives(type, api);
  if (!alternatives.some((one) => one.type === "null")) return type;
  return unionOf(alternatives.filter((one) => one.type !== "null").map(schemaOf));
}

export function schemaOf(alternative: Alternative): Schema {
  if (alternative.type === "any" && alternative.parts.length === 0) return ANY;
  const type = alternative.type === "any" ? {} : { type: alternative.type };
  const [only, second] = alternative.parts;
  if (only === undefined) return type;
  return second === undefined ? { ...only, ...type } : { ...type, allOf: alternative.parts };
}

export function listOf(items: Schema): Schema {
  return { type: "array", items };
}

/** A list whose elements are known one by one. */
export function tupleOf(elements: readonly Schema[]): Schema {
  return { type: "array", prefixItems: elements, items: NEVER };
}

/** An object with exactly these properties, each of them present. */
export function objectOf(properties: readonly (readonly [name: string, type: Schema])[]): Schema {
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    required: properties.map(([name]) => name),
    additionalProperties: NEVER,
  };
}

/** What the elements of a list may be; undefined where the type is never a list. */
export function elementsOf(type: Schema, api: Api): Schema | undefined {
  const found = listAlternatives(type, api).flatMap((one) => {
    if (one.type === "any") return ANY;
    return one.type === "array" ? itemOf(one) : [];
  });
  return found.length === 0 ? undefined : unionOf(found);
}

export function typeOfLiteral(value: Json): Schema {
  if (value === null) return NULL;
  switch (typeof value) {
    case "string":
      return STRING;
    case "number":
      return NUMBER;
    case "boolean":
      return BOOLEAN;
    default:
      if (Array.isArray(value)) return tupleOf(value.map(typeOfLiteral));
      return objectOf(Object.entries(value).map(([name, one]) => [name, typeOfLiteral(one as Json)] as const));
  }
}
