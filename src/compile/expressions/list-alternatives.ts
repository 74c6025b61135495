import { type Api, isFault } from "../../model/api.ts";
import { ownValue } from "../../model/json.ts";
import { onceFor } from "../../model/once-for.ts";
import type { Schema, SchemaType } from "../../model/schema.ts";
import { isNever } from "../types/is-never.ts";

/**
 * One way in which a value can satisfy a schema: of one JSON type (`any` where the schema does not say), and every part holds. Parts
 * have neither `$ref` nor combinators at their root.
 */
export interface Alternative {
  readonly type: SchemaType | "any";
  readonly parts: readonly Schema[];
}

const ANYTHING: readonly Alternative[] = [{ type: "any", parts: [] }];
/** Beyond these a schema is taken as open: a check must end, and says nothing rather than something wrong. */
const MOST_ALTERNATIVES = 256;
const DEEPEST = 24;
/** Choices among choices multiply, and shared references hide how many there are. */
const MOST_STEPS = 1_000;

/** The alternatives of a schema, lazily: nothing below its root is looked at. An empty list means that no value satisfies it. */
export function listAlternatives(schema: Schema, api: Api): readonly Alternative[] {
  const { byName, bySchema } = knownOf(api);
  const { $ref } = schema;
  const name = $ref !== undefined && Object.keys(schema).length === 1 ? $ref : undefined;
  const known = name === undefined ? bySchema.get(schema) : byName.get(name);
  if (known !== undefined) return known;
  const found = expand(schema, api, new Set(), 0, false, { left: MOST_STEPS });
  if (name === undefined) bySchema.set(schema, found);
  else byName.set(name, found);
  return found;
}

/** One schema is asked for by each path that leads through it, by the outline at each depth, and by every tool that shows it. */
const knownOf = onceFor((_: Api) => ({
  /** Of what is a reference and nothing else, by what it refers to. */
  byName: new Map<string, readonly Alternative[]>(),
  bySchema: new WeakMap<Schema, readonly Alternative[]>(),
}));

/** `isBase`: the schema is a member of an `allOf`, which stands for itself alone and not for its subtypes. */
function expand(
  schema: Schema,
  api: Api,
  through: ReadonlySet<string>,
  depth: number,
  isBase: boolean,
  steps: { left: number },
): readonly Alternative[] {
  steps.left -= 1;
  if (depth > DEEPEST || steps.left < 0) return ANYTHING;
  const resolved = api.resolve(schema);
  // A fault in the spec's own schema is the spec's finding, not a miss of the expression.
  if (isFault(resolved)) return ANYTHING;
  if (resolved.through.some((name) => through.has(name))) return ANYTHING;
  const seen = resolved.through.length === 0 ? through : new Set([...through, ...resolved.through]);
  const root = resolved.schema;
  const { allOf, anyOf, oneOf, ...own } = root;
  if (isNever(own)) return [];
  const below = (one: Schema) => expand(one, api, seen, depth + 1, false, steps);
  let found = typesOf(own).map((type): Alternative => ({ type, parts: Object.keys(own).length === 0 ? [] : [own] }));
  for (const one of allOf ?? []) found = bounded(intersect(found, expand(one, api, seen, depth + 1, true, steps)));
  if (anyOf === undefined && oneOf === undefined && !isBase && own.discriminator !== undefined) {
    const included = resolved.through.flatMap((name) => api.subtypesOf(name));
    found = [...found, ...subtypesOf(own.discriminator, included, below)];
  }
  for (const union of [anyOf, oneOf]) if (union !== undefined) found = bounded(intersect(found, union.flatMap(below)));
  return bounded(found);
}

function bounded(found: Alternative[]): Alternative[] {
  return found.length > MOST_ALTERNATIVES ? [...ANYTHING] : found;
}

/**
 * A discriminator without a union stands for subtypes that refer here (OAS 3.1 4.8.25): those of its mapping and `included`, which have this
 * schema in their `allOf`; without a mapping nobody knows whether these are all.
 */
function subtypesOf(
  discriminator: NonNullable<Schema["discriminator"]>,
  included: readonly string[],
  below: (schema: Schema) => readonly Alternative[],
): readonly Alternative[] {
  const mapped = Object.values(discriminator.mapping ?? {});
  if (mapped.length === 0) return ANYTHING;
  return [...new Set([...mapped, ...included])].flatMap(($ref) => below({ $ref }));
}

function typesOf(schema: Schema): (SchemaType | "any")[] {
  if (typeof schema.type === "string") return [schema.type];
  if (schema.type !== undefined) return [...schema.type];
  const values = schema.const === undefined ? schema.enum : [schema.const];
  if (values !== undefined) return [...new Set(values.map(typeOfValue))];
  if (schema.properties !== undefined || schema.additionalProperties !== undefined) return ["object"];
  return schema.items !== undefined || schema.prefixItems !== undefined ? ["array"] : ["any"];
}

function typeOfValue(value: unknown): SchemaType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  const type = typeof value;
  return type === "string" || type === "boolean" || type === "number" ? type : "object";
}

/** Pairs whose types cannot both hold fall away; where none is left the spec contradicts itself and the first side is believed. */
function intersect(left: readonly Alternative[], right: readonly Alternative[]): Alternative[] {
  if (left.length * right.length > MOST_ALTERNATIVES * 4) return [...ANYTHING];
  const pairs = left.flatMap((a) =>
    right.flatMap((b): Alternative[] => {
      const type = commonType(a.type, b.type);
      return type === undefined ? [] : [{ type, parts: [...a.parts, ...b.parts] }];
    }),
  );
  return pairs.length > 0 ? pairs : [...left];
}

function commonType(a: Alternative["type"], b: Alternative["type"]): Alternative["type"] | undefined {
  if (a === b || b === "any") return a;
  if (a === "any") return b;
  const numeric = (type: string) => type === "integer" || type === "number";
  return numeric(a) && numeric(b) ? "integer" : undefined;
}

/** The schema of a property where it may stand, `{}` where nothing is known of it, undefined where the spec says that there is none. */
export function propertyOf(alternative: Alternative, name: string): Schema | undefined {
  if (alternative.type === "any") return {};
  if (alternative.type !== "object") return undefined;
  const declared: Schema[] = [];
  for (const { properties } of alternative.parts) {
    const own = properties && ownValue(properties, name);
    if (own !== undefined) declared.push(own);
  }
  if (declared.length > 0) return declared.length === 1 ? declared[0] : { allOf: declared };
  const further = alternative.parts.flatMap((part) =>
    part.additionalProperties !== undefined && !isNever(part.additionalProperties) ? part.additionalProperties : [],
  );
  if (further.length > 0) return further[0];
  return isOpen(alternative) ? {} : undefined;
}

/** Nothing at all is said of its properties, or names that no list can hold are allowed. */
export function isOpen(alternative: Alternative): boolean {
  if (alternative.type === "any") return true;
  const { parts } = alternative;
  if (parts.some((part) => part.patternProperties !== undefined && Object.keys(part.patternProperties).length > 0))
    return true;
  if (parts.some((part) => part.additionalProperties !== undefined))
    return parts.some((part) => part.additionalProperties !== undefined && !isNever(part.additionalProperties));
  return !parts.some((part) => Object.keys(part.properties ?? {}).length > 0);
}

/** Names that the spec lists, in its order; none where it is no object. */
export function propertyNames(alternative: Alternative): string[] {
  if (alternative.type !== "object") return [];
  const [only, ...others] = alternative.parts;
  if (others.length === 0) return Object.keys(only?.properties ?? {});
  return [...new Set(alternative.parts.flatMap((part) => Object.keys(part.properties ?? {})))];
}

export function isRequired(alternative: Alternative, name: string): boolean {
  return alternative.parts.some((part) => part.required?.includes(name) ?? false);
}

/** The schema of an array's elements; `position` counts where the spec gives the first ones a schema of their own. */
export function itemOf(alternative: Alternative, position?: number): Schema {
  for (const part of alternative.parts) {
    const own = position === undefined || position < 0 ? undefined : part.prefixItems?.[position];
    if (own !== undefined) return own;
  }
  const items = alternative.parts.flatMap((part) => part.items ?? []);
  const first = alternative.parts.flatMap((part) => part.prefixItems ?? []);
  if (first.length === 0) return items[0] ?? {};
  if (position !== undefined && position >= 0) return items[0] ?? {};
  return { anyOf: [...first, ...items.filter((one) => !isNever(one))] };
}
