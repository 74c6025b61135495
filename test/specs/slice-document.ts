import { isJsonObject, type Json, type JsonObject } from "../../src/model/json.ts";
import { deref, followRef } from "./raw-document.ts";

/** One request to be validated: which operation it claims to be, and what it holds. */
export interface SlicedRequest {
  /** The path template as in the document. */
  readonly path: string;
  readonly method: string;
  /** Stands before the path, so that no two operations of a slice can be taken for each other. */
  readonly prefix: string;
  readonly contentType: string | undefined;
  /** Every word in it that may be the name of a property or parameter: rather too many than one too few. */
  readonly names: readonly string[];
}

/**
 * A document of a few operations, small enough for a validator that reads documents whole. It says of these requests exactly what the whole
 * says: properties whose name stands in none of them become schemas without rules, since a rule on an absent property asks for nothing;
 * responses, examples and descriptions are left out, and defaults too, lest a validator fill in what is missing.
 */
export function sliceDocument(document: JsonObject, requests: readonly SlicedRequest[]): JsonObject {
  const names = new Set(requests.flatMap((request) => request.names));
  const version = String(document["openapi"] ?? "3.0.3");
  const slice: Slice = { document, isOld: version.startsWith("3.0"), names, schemas: new Map(), taken: new Set() };
  const paths = requests.map((request) => slicePath(request, slice));
  const components: JsonObject = {
    schemas: Object.fromEntries([...slice.schemas.values()].map(({ name, schema }) => [name, schema!])),
  };
  return {
    openapi: slice.isOld ? version : "3.1.0",
    info: { title: "slice", version: "1" },
    paths: Object.fromEntries(paths),
    components,
  };
}

interface Slice {
  /** OpenAPI 3.0. */
  readonly isOld: boolean;
  readonly document: JsonObject;
  readonly names: ReadonlySet<string>;
  /** By reference. */
  readonly schemas: Map<string, { readonly name: string; schema?: Json }>;
  readonly taken: Set<string>;
}

function slicePath(request: SlicedRequest, slice: Slice): readonly [path: string, item: JsonObject] {
  const paths = slice.document["paths"] as JsonObject;
  const item = deref(slice.document, paths[request.path]);
  const further = isJsonObject(item["additionalOperations"]) ? item["additionalOperations"] : {};
  const operation = deref(slice.document, item[request.method.toLowerCase()] ?? further[request.method]);
  const said = [...listOf(item["parameters"]), ...listOf(operation["parameters"])].map((one) =>
    deref(slice.document, one),
  );
  const byPlace = new Map(said.map((one) => [`${one["in"]} ${one["name"]}`, one]));
  const { path, rename, parameters: fixed } = readPath(request.path);
  const parameters = [...byPlace.values()]
    .filter((one) => !isIgnored(one) && !isAbsent(one, request.names))
    .map((one) => sliceParameter(one, rename, slice));
  const body = operation["requestBody"] === undefined ? undefined : deref(slice.document, operation["requestBody"]);
  const sliced = {
    [request.method.toLowerCase()]: {
      parameters: [...parameters, ...fixed],
      ...(body !== undefined && { requestBody: sliceBody(body, request.contentType, slice) }),
      responses: { default: { description: "Any." } },
    },
  };
  return [`${request.prefix}${path}`, sliced];
}

/**
 * The validator's router knows plain names in a path only, so the names in braces are counted; a fragment is never sent (RFC 9110 7.1), and
 * a query in the path becomes parameters of one value.
 */
function readPath(template: string) {
  const [whole = ""] = template.split("#", 1);
  const [path = "", query = ""] = whole.split("?");
  const names = new Map<string, string>();
  const plain = path.replace(/\{([^{}]*)\}|[()[\]?+!*]/g, (sign, name?: string) => {
    // These mean something to the router.
    if (name === undefined) return `\\${sign}`;
    names.set(name, names.get(name) ?? `p${names.size}`);
    return `{${names.get(name)}}`;
  });
  const fixed = [...new URLSearchParams(query)].map(([name, value]) => ({
    name,
    in: "query",
    required: true,
    schema: { type: "string", enum: [value] },
  }));
  return { path: plain, rename: names, parameters: fixed };
}

/** OAS 3.0 4.7.12.1: these header parameters are ignored. */
function isIgnored({ in: place, name }: JsonObject): boolean {
  return place === "header" && ["accept", "content-type", "authorization"].includes(String(name).toLowerCase());
}

/** An optional parameter that is not sent asks for nothing; the validator takes an object with required properties for sent all the same. */
function isAbsent({ in: place, name, required, style }: JsonObject, names: readonly string[]): boolean {
  return place === "query" && required !== true && style === "deepObject" && !names.includes(String(name));
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function sliceParameter(parameter: JsonObject, rename: ReadonlyMap<string, string>, slice: Slice): JsonObject {
  const { description: _d, example: _e, examples: _x, schema, content, ...rest } = parameter;
  const name = String(parameter["name"]);
  return {
    ...rest,
    name: parameter["in"] === "path" ? (rename.get(name) ?? name) : name,
    ...(schema !== undefined && { schema: sliceParameterSchema(schema, slice) }),
    ...(isJsonObject(content) && { content: sliceContent(content, undefined, slice) }),
  };
}

/**
 * `readOnly` speaks of properties (OAS 3.0 4.7.24.2), not of parameters. And as texts `7` is an integer as well as a string, so that of a choice
 * between the two never exactly one fits: `oneOf` counts as `anyOf`.
 */
function sliceParameterSchema(schema: Json, slice: Slice): JsonObject {
  const { readOnly: _readOnly, oneOf, anyOf, allOf, ...own } = deref(slice.document, schema);
  const all = (list: Json) => listOf(list).map((one) => sliceParameterSchema(one, slice));
  return {
    ...(sliceSchema(own, slice) as JsonObject),
    ...((oneOf ?? anyOf) !== undefined && { anyOf: all((oneOf ?? anyOf)!) }),
    ...(allOf !== undefined && { allOf: all(allOf) }),
  };
}

function sliceBody(body: JsonObject, contentType: string | undefined, slice: Slice): JsonObject {
  const content = isJsonObject(body["content"]) ? body["content"] : {};
  return { required: body["required"] ?? false, content: sliceContent(content, contentType, slice) };
}

/** Only what is said of the media type that was sent; the others keep their names. */
function sliceContent(content: JsonObject, sent: string | undefined, slice: Slice): JsonObject {
  return Object.fromEntries(
    Object.entries(content).map(([type, said]) => {
      const media = deref(slice.document, said);
      const isSent = sent === undefined || type.includes("*") || essence(type) === essence(sent);
      const { schema, encoding } = media;
      return [
        type,
        {
          ...(isSent && schema !== undefined && { schema: sliceSchema(schema, slice) }),
          ...(isSent && encoding !== undefined && { encoding }),
        },
      ];
    }),
  );
}

export function essence(mediaType: string): string {
  return mediaType.split(";", 1)[0]!.trim().toLowerCase();
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

function sliceSchema(schema: Json, slice: Slice): Json {
  if (Array.isArray(schema)) return schema.map((one: Json) => sliceSchema(one, slice));
  if (!isJsonObject(schema)) return schema;
  const ref = schema["$ref"];
  // OAS 3.0 4.7.23: what stands beside a reference is ignored.
  if (typeof ref === "string") return { ...(slice.isOld ? {} : restOf(schema, slice)), $ref: nameRef(ref, slice) };
  return restOf(schema, slice);
}

function restOf(schema: JsonObject, slice: Slice): JsonObject {
  const isUnion = schema["oneOf"] !== undefined || schema["anyOf"] !== undefined;
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
      if (keyword === "discriminator")
        return isUnion && canBeTold(value, slice) ? [[keyword, sliceDiscriminator(value, slice)]] : [];
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
