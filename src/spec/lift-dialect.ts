import { isJsonObject, type Json, type JsonObject, ownValue } from "../model/json.ts";
import type { Discriminator, Schema, SchemaType } from "../model/schema.ts";

type Rule = (raw: JsonObject, schema: Schema) => Schema;

/** What the dialects of 2.0 and 3.0 say otherwise than 2020-12, one rule each; 3.1 passes through them unharmed. */
export function liftDialect(raw: JsonObject, schema: Schema): Schema {
  return RULES.reduce((lifted, rule) => rule(raw, lifted), schema);
}

const RULES: readonly Rule[] = [
  liftType,
  liftBounds,
  liftExample,
  liftFormat,
  liftPattern,
  liftDiscriminator,
  liftNullable,
];

const TYPES: ReadonlyMap<string, SchemaType> = new Map(
  (["string", "integer", "number", "boolean", "array", "object", "null"] as const).map((type) => [type, type]),
);

function liftType(raw: JsonObject, schema: Schema): Schema {
  const stated = ownValue(raw, "type");
  if (stated === undefined) return schema;
  const known = typeof stated === "string" ? TYPES.get(stated) : undefined;
  if (known !== undefined) return { ...schema, type: known };
  if (stated === "file") return { ...schema, type: "string", format: "binary" };
  const types = (Array.isArray(stated) ? stated : [stated]).flatMap(
    (name) => TYPES.get(String(name).toLowerCase()) ?? [],
  );
  const [only, ...others] = new Set(types);
  if (only === undefined) return schema;
  return { ...schema, type: others.length === 0 ? only : [only, ...others] };
}

// Draft 4: `exclusiveMinimum: true` turns `minimum` into an exclusive bound.
function liftBounds(raw: JsonObject, schema: Schema): Schema {
  if (schema.minimum === undefined && schema.maximum === undefined) return schema;
  const { minimum, maximum, ...rest } = schema;
  const from =
    minimum === undefined
      ? {}
      : { [ownValue(raw, "exclusiveMinimum") === true ? "exclusiveMinimum" : "minimum"]: minimum };
  const to =
    maximum === undefined
      ? {}
      : { [ownValue(raw, "exclusiveMaximum") === true ? "exclusiveMaximum" : "maximum"]: maximum };
  return { ...rest, ...from, ...to };
}

function liftExample(raw: JsonObject, schema: Schema): Schema {
  const example = ownValue(raw, "example");
  return example === undefined || schema.examples !== undefined ? schema : { ...schema, examples: [example] };
}

// OAS 3.1 4.7.14.3: bytes are told by contentMediaType and contentEncoding; `format` stays for whoever knows it.
function liftFormat(_raw: JsonObject, schema: Schema): Schema {
  if (schema.format === "binary") return { contentMediaType: "application/octet-stream", ...schema };
  if (schema.format === "byte") return { contentEncoding: "base64", ...schema };
  return schema;
}

// A pattern in a literal's slashes (`/^x+$/i`): as it stands no text would match it, since nothing comes before `^` or after `$`.
function liftPattern(_raw: JsonObject, schema: Schema): Schema {
  if (schema.pattern === undefined) return schema;
  const [, inside, flags = ""] = /^\/(\^.*|.*\$)\/([a-z]*)$/s.exec(schema.pattern) ?? [];
  if (inside === undefined) return schema;
  return { ...schema, pattern: flags.includes("i") ? `(?i)${inside}` : inside };
}

function liftDiscriminator(raw: JsonObject, schema: Schema): Schema {
  const stated = ownValue(raw, "discriminator");
  if (typeof stated === "string") return { ...schema, discriminator: { propertyName: stated } };
  if (!isJsonObject(stated) || typeof stated.propertyName !== "string") return schema;
  const mapping = Object.entries(isJsonObject(stated.mapping) ? stated.mapping : {}).filter(isTextEntry);
  const discriminator: Discriminator = {
    propertyName: stated.propertyName,
    ...(mapping.length > 0 && { mapping: Object.fromEntries(mapping) }),
    ...(typeof stated.defaultMapping === "string" && { defaultMapping: stated.defaultMapping }),
  };
  return { ...schema, discriminator };
}

function isTextEntry(entry: [string, Json]): entry is [string, string] {
  return typeof entry[1] === "string";
}

// `nullable` beside a type adds null to it (OAS 3.0.3 4.7.24.1). Authors also write it beside combinators and mean the same.
function liftNullable(raw: JsonObject, schema: Schema): Schema {
  if (ownValue(raw, "nullable") !== true && ownValue(raw, "x-nullable") !== true) return schema;
  const withEnum =
    schema.enum === undefined || schema.enum.includes(null) ? schema : { ...schema, enum: [...schema.enum, null] };
  if (schema.type !== undefined) return { ...withEnum, type: [...new Set([schema.type, "null" as const].flat())] };
  return alternativesWithNull(withEnum);
}

const NULL: Schema = { type: "null" };

function alternativesWithNull(schema: Schema): Schema {
  if (schema.anyOf !== undefined && schema.allOf === undefined) return { ...schema, anyOf: [...schema.anyOf, NULL] };
  if (schema.oneOf !== undefined && schema.allOf === undefined) return { ...schema, oneOf: [...schema.oneOf, NULL] };
  if (schema.allOf === undefined) return schema;
  const { title, description, default: preset, deprecated, readOnly, writeOnly, examples, ...rest } = schema;
  const words = { title, description, default: preset, deprecated, readOnly, writeOnly, examples };
  return {
    ...Object.fromEntries(Object.entries(words).filter(([, value]) => value !== undefined)),
    anyOf: [rest, NULL],
  };
}
