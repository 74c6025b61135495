import type { MediaType, RequestBody } from "../model/api.ts";
import { type JsonObject, ownValue } from "../model/json.ts";
import { listStyle, schemaOfItems } from "./lift-parameter.ts";
import { childOf, type Located, pointerTo } from "./locate.ts";
import type { RawParameter } from "./merge-parameters.ts";
import { readContent } from "./read-content.ts";
import { isTrue, textOf, textsOf } from "./read-field.ts";
import { mustResolve } from "./resolve-schema.ts";
import type { SpecContext } from "./spec-context.ts";

/** The body that `in: body` or the `in: formData` parameters make, each of `consumes` (operation, else document) one media type. */
export function readFormOrBody(
  context: SpecContext,
  parameters: readonly RawParameter[],
  operation: JsonObject,
): RequestBody | undefined {
  const consumes = mediaTypes(operation, context, "consumes");
  const whole = parameters.find((parameter) => parameter.in === "body");
  if (whole !== undefined) return readWholeBody(context, whole, consumes.length > 0 ? consumes : ["application/json"]);
  const fields = parameters.filter((parameter) => parameter.in === "formData");
  return fields.length === 0 ? undefined : readForm(context, fields, consumes);
}

function readWholeBody(context: SpecContext, parameter: RawParameter, consumes: readonly string[]): RequestBody {
  const stated = childOf(parameter, "schema");
  const schema = context.schemas.lift(stated.value, stated.pointer);
  mustResolve(context.resolve, schema);
  const description = textOf(parameter.value, "description");
  return {
    required: isTrue(parameter.value, "required"),
    ...(description !== undefined && { description }),
    content: consumes.map((mediaType) => ({ mediaType, schema, encoding: [] })),
  };
}

const [URLENCODED, MULTIPART] = ["application/x-www-form-urlencoded", "multipart/form-data"];

function readForm(context: SpecContext, fields: readonly RawParameter[], consumes: readonly string[]): RequestBody {
  const hasFile = fields.some(({ value }) => ownValue(value, "type") === "file");
  const forms = consumes.filter((type) => type.startsWith(MULTIPART) || (type.startsWith(URLENCODED) && !hasFile));
  const types = forms.length > 0 ? forms : [hasFile ? MULTIPART : URLENCODED];
  const isRequired = ({ value }: RawParameter) => isTrue(value, "required");
  const schema: JsonObject = {
    type: "object",
    properties: Object.fromEntries(fields.map((field) => [field.name, propertyOf(field.value)])),
    required: fields.filter(isRequired).map((field) => field.name),
  };
  const encoding = Object.fromEntries(
    fields
      .filter(({ value }) => ownValue(value, "type") === "array")
      .map(({ name, value }) => [name, listStyle(value, true)]),
  );
  const content = Object.fromEntries(types.map((type) => [type, { schema, encoding }]));
  return {
    required: fields.some(isRequired),
    content: readContent(context, { value: content, pointer: fields[0]?.pointer ?? "#" }),
  };
}

function propertyOf(field: JsonObject): JsonObject {
  const description = textOf(field, "description");
  return {
    ...schemaOfItems(field),
    ...(description !== undefined && { description }),
  };
}

/** A 2.0 response's schema in each of `produces`; `operation` is where the response stands, for what the operation produces. */
export function readResponseContent20(
  context: SpecContext,
  response: Located & { value: JsonObject },
  operation: JsonObject,
): MediaType[] {
  const stated = childOf(response, "schema");
  if (stated.value === undefined) return [];
  const schema = context.schemas.lift(stated.value, pointerTo(response.pointer, "schema"));
  const produces = mediaTypes(operation, context, "produces");
  const preset = schema.format === "binary" ? "application/octet-stream" : "application/json";
  return (produces.length > 0 ? produces : [preset]).map((mediaType) => ({ mediaType, schema, encoding: [] }));
}

function mediaTypes(operation: JsonObject, context: SpecContext, name: "consumes" | "produces"): string[] {
  return textsOf(Object.hasOwn(operation, name) ? operation : context.document.root, name);
}
