import { isJsonObject, type Json, type JsonObject } from "../../src/model/json.ts";
import { mergeChoices } from "./merge-choices.ts";
import { deref, followRef } from "./raw-document.ts";

/** What a slice of a document is made of, and what it holds so far. */
export interface Slice {
  /** OpenAPI 3.0. */
  readonly isOld: boolean;
  readonly document: JsonObject;
  /** Unions are taken as a portable type has them, all choices together. */
  readonly merged: boolean;
  readonly names: ReadonlySet<string>;
  /** By reference. */
  readonly schemas: Map<string, { readonly name: string; schema?: Json }>;
  readonly taken: Set<string>;
}

export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/**
 * `readOnly` speaks of properties (OAS 3.0 4.7.24.2), not of parameters. And as texts `7` is an integer as well as a string, so that of a choice
 * between the two never exactly one fits: `oneOf` counts as `anyOf`.
 */
export function sliceParameterSchema(schema: Json, slice: Slice): JsonObject {
  const { readOnly: _readOnly, oneOf, anyOf, allOf, ...own } = deref(slice.document, schema);
  const all = (list: Json) => listOf(list).map((one) => sliceParameterSchema(one, slice));
  if (slice.merged && (oneOf ?? anyOf) !== undefined) return mergeChoices([schema], slice);
  return {
    ...(sliceSchema(own, slice) as JsonObject),
    ...((oneOf ?? anyOf) !== undefined && { anyOf: all((oneOf ?? anyOf)!) }),
    ...(allOf !== undefined && { allOf: all(allOf) }),
  };
}

/** The schema of a body: of discriminators only its own counts, and only where it can be told. */
export function sliceBodySchema(schema: Json, slice: Slice): Json {
  const whole = deref(slice.document, schema);
  const { discriminator, oneOf, anyOf } = whole;
  if (slice.merged || discriminator === undefined || (oneOf ?? anyOf) === undefined || !canBeTold(discriminator, slice))
    return sliceSchema(schema, slice);
  return { ...(sliceSchema(whole, slice) as JsonObject), discriminator: sliceDiscriminator(discriminator, slice) };
}

const DROPPED = new Set([
  "description",
  "title",
  "example",
  "examples",
  "default",
  "externalDocs",
  "xml",
  "deprecated",
]);

export function sliceSchema(schema: Json, slice: Slice): Json {
  if (Array.isArray(schema)) return schema.map((one: Json) => sliceSchema(one, slice));
  if (!isJsonObject(schema)) return schema;
  const ref = schema["$ref"];
  // OAS 3.0 4.7.23: what stands beside a reference is ignored.
  if (typeof ref === "string") return { ...(slice.isOld ? {} : restOf(schema, slice)), $ref: nameRef(ref, slice) };
  return restOf(schema, slice);
}

function restOf(schema: JsonObject, slice: Slice): JsonObject {
  const { oneOf, anyOf } = schema;
  if (slice.merged && (oneOf ?? anyOf) !== undefined) return mergeChoices([schema], slice);
  return Object.fromEntries(
    Object.entries(schema).flatMap(([keyword, value]): [string, Json][] => {
      if (keyword === "$ref" || keyword.startsWith("x-") || DROPPED.has(keyword)) return [];
      // JSON Schema draft 4 5.5.1: a list of values is not empty.
      if (keyword === "enum" && Array.isArray(value) && value.length === 0) return [];
      // JSON Schema validation 6.3.3: patterns are ECMA-262's; some documents write others.
      if (keyword === "pattern" && !isEcmaPattern(value)) return [];
      if (keyword === "enum" || keyword === "const" || keyword === "required") return [[keyword, value]];
      // OAS 3.0.3 4.7.24.1: without a type `nullable` has no effect, and the validator refuses it.
      if (keyword === "nullable" && schema["type"] === undefined) return [];
      // The validator would take that of a property for the body's own.
      if (keyword === "discriminator") return [];
      if (["properties", "patternProperties", "dependentSchemas", "$defs"].includes(keyword) && isJsonObject(value))
        return [[keyword, sliceProperties(value, keyword === "properties", slice)]];
      return [[keyword, sliceSchema(value, slice)]];
    }),
  );
}

function isEcmaPattern(pattern: Json): boolean {
  try {
    new RegExp(String(pattern), "u");
    return true;
  } catch {
    return false;
  }
}

function sliceProperties(written: JsonObject, byName: boolean, slice: Slice): JsonObject {
  // A schema is never a text: this is a reference to a map of properties, which the bundler of DigitalOcean's files leaves so.
  const properties = typeof written["$ref"] === "string" ? deref(slice.document, written) : written;
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      !byName || slice.names.has(name)
        ? sliceSchema(schema, slice)
        : isReadOnly(schema, slice)
          ? { readOnly: true }
          : {},
    ]),
  );
}

/** A readOnly property is not asked for in a request, even where it is required (OAS 3.0 4.7.24.2). */
function isReadOnly(schema: Json, slice: Slice): boolean {
  if (!isJsonObject(schema)) return false;
  const own = slice.isOld && schema["$ref"] !== undefined ? { $ref: schema["$ref"] } : schema;
  return deref(slice.document, own)["readOnly"] === true;
}

/** Without a mapping, or where bundling has changed the names, the validator takes the names of our slice for values. */
function canBeTold(discriminator: Json, { document }: Slice): boolean {
  if (!isJsonObject(discriminator) || !isJsonObject(discriminator["mapping"])) return false;
  return Object.values(discriminator["mapping"]).every((target) => {
    try {
      return followRef(document, mappingRef(target)) !== undefined;
    } catch {
      return false;
    }
  });
}

function mappingRef(target: Json): string {
  return String(target).startsWith("#") ? String(target) : `#/components/schemas/${target}`;
}

function sliceDiscriminator(value: Json, slice: Slice): Json {
  if (!isJsonObject(value) || !isJsonObject(value["mapping"])) return value;
  const mapping = Object.entries(value["mapping"]).map(([name, target]): [string, Json] => {
    return [name, nameRef(mappingRef(target), slice)];
  });
  return { ...value, mapping: Object.fromEntries(mapping) };
}

/** A referenced schema becomes a component under its own name where that is free. */
function nameRef(ref: string, slice: Slice): string {
  const known = slice.schemas.get(ref);
  if (known !== undefined) return `#/components/schemas/${known.name}`;
  const own = decodeURIComponent(/^#\/components\/schemas\/([^/]+)$/.exec(ref)?.[1] ?? "").replace(/[^\w.-]/g, "_");
  let name = own === "" ? `Schema_${slice.schemas.size}` : own;
  while (slice.taken.has(name)) name = `${name}_`;
  slice.taken.add(name);
  const entry: { name: string; schema?: Json } = { name };
  slice.schemas.set(ref, entry);
  let target: Json = {};
  try {
    target = followRef(slice.document, ref);
  } catch {
    // A reference that leads nowhere asks for nothing here; our compiler has reported it where it matters.
  }
  entry.schema = sliceSchema(target, slice);
  return `#/components/schemas/${name}`;
}
