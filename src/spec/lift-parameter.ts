import type { ParameterIn } from "../model/api.ts";
import { type JsonObject, ownValue } from "../model/json.ts";
import { isTrue, textOf } from "./read-field.ts";

// Swagger 2.0 is said anew in the words of 3.0, so that the readers know one dialect.

const OF_THE_PARAMETER = new Set([
  "name",
  "in",
  "description",
  "required",
  "collectionFormat",
  "allowEmptyValue",
  "deprecated",
  "example",
]);
const BEYOND_THE_PARAMETER = new Set(["style", "explode", "allowReserved", "schema", "content", "examples"]);

/** The schema that stands beside a parameter's name in 2.0: `type`, `items`, bounds. */
export function schemaOfItems(parameter: JsonObject): JsonObject {
  const isOfSchema = (name: string) => !OF_THE_PARAMETER.has(name) && !BEYOND_THE_PARAMETER.has(name);
  return Object.fromEntries(Object.entries(parameter).filter(([name]) => isOfSchema(name)));
}

/** A 2.0 parameter in path, query or header as 3.0 writes it. */
export function liftParameter20(parameter: JsonObject, place: ParameterIn): JsonObject {
  const schema = schemaOfItems(parameter);
  const way = ownValue(schema, "type") === "array" ? listStyle(parameter, place === "query") : {};
  const rest = {
    required: isTrue(parameter, "required"),
    allowEmptyValue: isTrue(parameter, "allowEmptyValue"),
  };
  const description = textOf(parameter, "description");
  return {
    ...rest,
    ...(description !== undefined && { description }),
    schema: way === undefined ? writtenList(parameter) : schema,
    ...way,
  };
}

const FORM_STYLES: ReadonlyMap<string, JsonObject> = new Map([
  ["csv", { style: "form", explode: false }],
  ["multi", { style: "form", explode: true }],
  ["ssv", { style: "spaceDelimited", explode: false }],
  ["pipes", { style: "pipeDelimited", explode: false }],
]);

/** Undefined where 3.x has no style that writes it so. Unsaid, 2.0 means `csv`. */
export function listStyle(parameter: JsonObject, inForm: boolean): JsonObject | undefined {
  const format = textOf(parameter, "collectionFormat") ?? "csv";
  if (inForm) return FORM_STYLES.get(format);
  return format === "csv" || format === "multi" ? { style: "simple", explode: false } : undefined;
}

const SEPARATORS: ReadonlyMap<string, string> = new Map([
  ["tsv", "tabs"],
  ["ssv", "spaces"],
  ["pipes", "`|`"],
]);

// Without a style the list is written by the caller, who is told how.
export function writtenList(parameter: JsonObject): JsonObject {
  const separator = SEPARATORS.get(textOf(parameter, "collectionFormat") ?? "");
  return { type: "string", ...(separator !== undefined && { description: `A list, separated by ${separator}.` }) };
}
