import type { Parameter, ParameterIn, ParameterStyle } from "../model/api.ts";
import { isJsonObject, type Json, type JsonObject, ownValue } from "../model/json.ts";
import type { Schema } from "../model/schema.ts";
import { BrokenSpec } from "./broken-spec.ts";
import { liftParameter20, schemaOfItems } from "./lift-parameter.ts";
import { childOf, type Located, pointerTo } from "./locate.ts";
import type { RawParameter } from "./merge-parameters.ts";
import { readContent } from "./read-content.ts";
import type { SpecDocument } from "./read-document.ts";
import { isTrue, textOf } from "./read-field.ts";
import { mustResolve } from "./resolve-schema.ts";
import type { SpecContext } from "./spec-context.ts";

// OAS 3.1 4.8.12.1: header parameters of these names are ignored.
const IGNORED_HEADERS: ReadonlySet<string> = new Set(["accept", "content-type", "authorization"]);

/** All that can be sent beside a body. A name in the path template that nobody declared is a required text. */
export function readParameters(context: SpecContext, merged: readonly RawParameter[], path: string): Parameter[] {
  const template = templateNames(path);
  const parameters = merged
    .filter((raw) => raw.in !== "body" && raw.in !== "formData")
    .filter((raw) => !(raw.in === "header" && IGNORED_HEADERS.has(raw.name.toLowerCase())))
    // One that the path has no room for cannot be sent.
    .filter((raw) => raw.in !== "path" || template.has(raw.name))
    .map((raw) => readParameter(context, raw));
  const inQuery = new Set(templateNames(path.split("?").slice(1).join("?")));
  for (const { name, in: place } of parameters)
    if (place === "path" || (place === "query" && inQuery.has(name))) template.delete(name);
  return [...[...template].map(undeclared), ...parameters];
}

function templateNames(path: string): Set<string> {
  const [beforeFragment = ""] = path.split("#");
  return new Set([...beforeFragment.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name as string));
}

function undeclared(name: string): Parameter {
  const rules = { deprecated: false, allowReserved: false, allowEmptyValue: false };
  return { name, in: "path", required: true, style: "simple", explode: false, schema: { type: "string" }, ...rules };
}

/** Per place its styles, the default first (OAS 3.1 4.8.12.2, 3.2 for `cookie` and `querystring`). */
const STYLES: Readonly<Record<ParameterIn, readonly [ParameterStyle, ...ParameterStyle[]]>> = {
  path: ["simple", "label", "matrix"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  header: ["simple"],
  cookie: ["form", "cookie"],
  querystring: ["form"],
};

function readParameter(context: SpecContext, raw: RawParameter): Parameter {
  const place = raw.in;
  if (!isPlace(place, context.document)) {
    throw new BrokenSpec(
      `The parameter "${raw.name}" is in ${JSON.stringify(place)}, where OpenAPI has none.`,
      pointerTo(raw.pointer, "in"),
    );
  }
  const value = context.document.version === "2.0" ? liftParameter20(raw.value, place) : raw.value;
  const [style, explode, description] = [
    readStyle(value, place, context.document),
    ownValue(value, "explode"),
    textOf(value, "description"),
  ];
  const { schema, mediaType } = readSchema(context, { value, pointer: raw.pointer });
  mustResolve(context.resolve, schema);
  return {
    name: raw.name,
    in: place,
    required: place === "path" || isTrue(value, "required"),
    ...(description !== undefined && { description }),
    deprecated: isTrue(value, "deprecated"),
    style,
    explode: typeof explode === "boolean" ? explode : EXPLODED.has(style),
    allowReserved: isTrue(value, "allowReserved"),
    allowEmptyValue: isTrue(value, "allowEmptyValue"),
    ...(mediaType !== undefined && { mediaType }),
    schema,
  };
}

// `deepObject` has no meaning unexploded, so it is never the default there.
const EXPLODED: ReadonlySet<ParameterStyle> = new Set(["form", "cookie", "deepObject"]);

function isPlace(text: string, document: SpecDocument): text is ParameterIn {
  return Object.hasOwn(STYLES, text) && (text !== "querystring" || document.version === "3.2");
}

function readStyle(value: JsonObject, place: ParameterIn, { version }: SpecDocument): ParameterStyle {
  const stated: Json | undefined = ownValue(value, "style");
  const styles = version === "2.0" ? [...STYLES[place], ...DELIMITED] : STYLES[place];
  return styles.find((style) => style === stated) ?? STYLES[place][0];
}

/** Of Swagger 2.0, wherever a list stands. */
const DELIMITED: readonly ParameterStyle[] = ["spaceDelimited", "pipeDelimited", "tabDelimited"];

function readSchema(
  context: SpecContext,
  parameter: Located & { value: JsonObject },
): { schema: Schema; mediaType?: string } {
  const [media] = readContent(context, childOf(parameter, "content"));
  if (media !== undefined) return { mediaType: media.mediaType, schema: media.schema ?? {} };
  const schema = childOf(parameter, "schema");
  // A type beside the name, as Swagger 2.0 has it, is met in 3.0 files too.
  const stated = schema.value ?? schemaOfItems(parameter.value);
  return { schema: withExample(context.schemas.lift(stated, schema.pointer), parameter.value) };
}

/** The parameter's own example goes before those of its schema (OAS 3.1.1 4.8.12.2). */
function withExample(schema: Schema, parameter: JsonObject): Schema {
  const example = ownValue(parameter, "example") ?? firstExample(ownValue(parameter, "examples"));
  // A copy of a reference would not be known by its place any more.
  return example === undefined || schema.$ref !== undefined ? schema : { ...schema, examples: [example] };
}

function firstExample(examples: Json | undefined): Json | undefined {
  if (!isJsonObject(examples)) return undefined;
  return Object.values(examples)
    .filter(isJsonObject)
    .map((one) => ownValue(one, "value"))
    .find((value) => value !== undefined);
}
