import { type Api, isFault, type ResolvedSchema, referenceName, type SpecFault } from "../../model/api.ts";
import { type Json, ownValue } from "../../model/json.ts";
import type { Schema, SchemaType } from "../../model/schema.ts";
import { isNever } from "./is-never.ts";
import { type Condition, listConditions } from "./list-conditions.ts";
import { isSubtype, listSubtypes, subtypesOf } from "./list-subtypes.ts";
import { listTypes } from "./list-types.ts";
import { mergeSchemas } from "./merge-schemas.ts";

export type ValueKind = Exclude<SchemaType, "null">;

/** What a schema says at its root once references are followed and `allOf` is merged; nothing below the root is looked at. */
export interface FlatSchema {
  /** Without `$ref`, `allOf`, `oneOf`, `anyOf` and the null type. */
  readonly own: Schema;
  /** The JSON type, inferred where the spec does not name one; several where the spec lists several, none where nothing is known. */
  readonly types: readonly ValueKind[];
  readonly nullable: boolean;
  /** Each list is one `oneOf` or `anyOf`, or the subtypes of a discriminator. */
  readonly unions: readonly (readonly Schema[])[];
  /** One of them is a `oneOf`: several of its schemas at a time are too many. */
  readonly isExclusive: boolean;
  readonly conditions: readonly Condition[];
  /** Names of the references that led here, from the outermost; a name that comes again and again is a recursion. */
  readonly trail: readonly string[];
}

/** A schema and the references that led to it. */
export interface Spot {
  readonly schema: Schema;
  readonly trail: readonly string[];
}

export interface SchemaReader {
  readonly api: Api;
  /** Broken references that were met; whoever asked decides what fails with them. */
  readonly faults: SpecFault[];
}

const DEEPEST_ALL_OF = 24;

/** Reads the root of a schema. A broken reference is added to `reader.faults` and read as a schema that says nothing. */
export function flattenSchema(spot: Spot, reader: SchemaReader): FlatSchema {
  const known = lastRead.get(spot.schema);
  if (known !== undefined && isSameTrail(known.of, spot.trail)) return known.flat;
  const faults = reader.faults.length;
  const flat = flatten(spot, reader);
  // Each reader is told of a fault.
  if (reader.faults.length === faults) lastRead.set(spot.schema, { of: spot.trail, flat });
  return flat;
}

/** How a schema was last read: what it is, what it is called and whether it is set are asked one after the other. */
const lastRead = new WeakMap<Schema, { readonly of: Spot["trail"]; readonly flat: FlatSchema }>();

function isSameTrail(one: Spot["trail"], two: Spot["trail"]): boolean {
  return one === two || (one.length === two.length && one.every((name, at) => name === two[at]));
}

function flatten(spot: Spot, reader: SchemaReader): FlatSchema {
  const collected: Collected = {
    parts: new Set(),
    unions: [],
    isExclusive: false,
    isOneSubtype: false,
    conditions: [],
    through: new Set(),
    above: new Set(spot.trail),
  };
  collect(spot.schema, reader, collected, 0);
  const merged = mergeSchemas([...collected.parts].map(ownOf));
  const { type: written, enum: values, ...rest } = withRequired(merged);
  const listed = listTypes(written);
  const types = kindsOf(merged, listed);
  return {
    own: { ...rest, ...(values !== undefined && { enum: values.filter((value) => value !== null) }) },
    types,
    // OpenAPI 3.0.3 wants null in the enum as well, but documents that say `nullable` alone mean it.
    nullable: listed.includes("null") || (listed.length === 0 && (values?.includes(null) ?? rest.const === null)),
    unions: collected.unions,
    isExclusive: collected.isExclusive,
    conditions: collected.conditions,
    trail: [...spot.trail, ...collected.through],
  };
}

/** What must be there may be there, also where the spec does not say what it is (JSON Schema validation 6.5.3). */
function withRequired(own: Schema): Schema {
  const { properties = {}, required = [], additionalProperties } = own;
  const isClosed = additionalProperties !== undefined && isNever(additionalProperties);
  const further = required.filter((name) => !Object.hasOwn(properties, name));
  if (further.length === 0 || isClosed || Object.keys(properties).length === 0) return own;
  const schema = additionalProperties ?? {};
  return { ...own, properties: { ...properties, ...Object.fromEntries(further.map((name) => [name, schema])) } };
}

interface Collected {
  readonly parts: Set<Schema>;
  readonly unions: (readonly Schema[])[];
  isExclusive: boolean;
  /** What is read is one choice of a discriminator. */
  isOneSubtype: boolean;
  readonly conditions: Condition[];
  readonly through: Set<string>;
  readonly above: ReadonlySet<string>;
}

function collect(schema: Schema, reader: SchemaReader, into: Collected, depth: number): void {
  const resolved = reader.api.resolve(schema);
  if (isFault(resolved)) {
    reader.faults.push(resolved);
    return;
  }
  // An `allOf` that leads back to its own schema adds nothing, nor does a schema that YAML's aliases repeat.
  if (depth > 0 && resolved.through.some((name) => into.through.has(name))) return;
  if (into.parts.has(resolved.schema)) return;
  into.parts.add(resolved.schema);
  const isAgain = depth > 0 && resolved.through.some((name) => into.above.has(name));
  if (isSubtype(schema)) {
    into.isOneSubtype = true;
    for (const name of resolved.through) into.through.add(name);
  }
  for (const { choices, names } of unionsOf(resolved, reader)) {
    // A subtype that includes its parent is one of the parent's choices, and not all of them again.
    const chosen = [...into.through].find((name) => names.has(referenceName(name)));
    if (names.size === 0 ? !isAgain : chosen === undefined) into.unions.push(choices);
    // But where a subtype is asked for by its own name, those below it are meant too.
    else if (chosen !== undefined && !into.isOneSubtype && isSubtype(choices[0]!)) {
      const below = listSubtypes(chosen, reader.api);
      if (below.length > 1) into.unions.push(below);
    }
  }
  for (const name of resolved.through) into.through.add(name);
  const { oneOf, allOf } = resolved.schema;
  into.conditions.push(...listConditions(resolved.schema));
  if (oneOf !== undefined && oneOf.length > 1) into.isExclusive = true;
  if (depth < DEEPEST_ALL_OF) for (const part of allOf ?? []) collect(part, reader, into, depth + 1);
}

function ownOf({ $ref: _ref, allOf: _allOf, oneOf: _oneOf, anyOf: _anyOf, ...own }: Schema): Schema {
  return own;
}

interface Union {
  readonly choices: readonly Schema[];
  /** Of the references among them. */
  readonly names: ReadonlySet<string>;
}

/** Worked out once: some parents have hundreds of subtypes, and are met thousands of times. */
const knownUnions = new WeakMap<Schema, readonly Union[]>();

function unionsOf(resolved: ResolvedSchema, reader: SchemaReader): readonly Union[] {
  const known = knownUnions.get(resolved.schema);
  if (known !== undefined) return known;
  const found = findUnions(resolved, reader).map((choices): Union => {
    const names = choices.flatMap(({ $ref }) => ($ref === undefined ? [] : referenceName($ref)));
    return { choices, names: new Set(names) };
  });
  knownUnions.set(resolved.schema, found);
  return found;
}

/** What is written as a union, else what a discriminator stands for. */
function findUnions({ schema, through }: ResolvedSchema, { api }: SchemaReader): (readonly Schema[])[] {
  const written = [schema.oneOf, schema.anyOf].filter((union) => union !== undefined && union.length > 0);
  if (written.length > 0) return written as (readonly Schema[])[];
  const subtypes = schema.discriminator === undefined ? [] : subtypesOf(schema.discriminator, through, api);
  return subtypes.length > 0 ? [subtypes] : [];
}

/** The types without null; what other keywords give away where no type is written. */
function kindsOf(schema: Schema, listed: readonly SchemaType[]): ValueKind[] {
  if (listed.length > 0) {
    const kinds = listed.filter((type) => type !== "null");
    const known = kinds.filter((type) => KNOWN_KINDS.has(type));
    // Names that JSON Schema does not know, such as `file`, stand for a text.
    return kinds.length > 0 && known.length === 0 ? ["string"] : [...new Set(known)];
  }
  const values = schema.const === undefined ? schema.enum : [schema.const];
  if (values !== undefined) return [...new Set(values.flatMap((value) => kindOf(value) ?? []))];
  const given = KEYWORDS_OF_KIND.find(([, keywords]) => keywords.some((keyword) => schema[keyword] !== undefined));
  return given === undefined ? [] : [given[0]];
}

const KNOWN_KINDS: ReadonlySet<string> = new Set(["string", "integer", "number", "boolean", "array", "object"]);

const KEYWORDS_OF_KIND: readonly (readonly [ValueKind, readonly (keyof Schema)[]])[] = [
  ["object", ["properties", "additionalProperties", "patternProperties", "required", "minProperties", "maxProperties"]],
  ["array", ["items", "prefixItems", "minItems", "maxItems", "uniqueItems"]],
  ["number", ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]],
  ["string", ["pattern", "minLength", "maxLength", "format", "contentEncoding", "contentMediaType"]],
];

/** The JSON type of a value; undefined for null. */
export function kindOf(value: Json): ValueKind | undefined {
  if (value === null) return undefined;
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  if (typeof value === "string") return "string";
  return typeof value === "boolean" ? "boolean" : "object";
}

/** A property by its own name: a spec may call one `constructor`. */
export function ownProperty(own: Schema, name: string): Schema | undefined {
  return ownValue(own.properties ?? {}, name);
}
