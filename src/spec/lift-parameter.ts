import type { ParameterIn } from "../model/api.ts";
import { type JsonObject, ownValue } from "../model/json.ts";
import { copySpellings } from "./number-spelling.ts";
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
  const schema = Object.fromEntries(Object.entries(parameter).filter(([name]) => isOfSchema(name)));
  copySpellings(parameter, schema);
  return schema;
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
    schema,
    ...way,
  };
}

const STYLES: ReadonlyMap<string, JsonObject> = new Map([
  ["csv", { style: "form", explode: false }],
  ["multi", { style: "form", explode: true }],
  ["ssv", { style: "spaceDelimited", explode: false }],
  ["pipes", { style: "pipeDelimited", explode: false }],
  ["tsv", { style: "tabDelimited", explode: false }],
]);
const SIMPLE: JsonObject = { style: "simple", explode: false };

/** How a 2.0 list is written, in the words of 3.x as far as it has some. Unsaid, and by a name that 2.0 does not have, it is `csv`. */
export function listStyle(parameter: JsonObject, inForm: boolean): JsonObject {
  const format = textOf(parameter, "collectionFormat") ?? "csv";
  const isDelimited = format !== "csv" && format !== "multi";
  const style = inForm || isDelimited ? STYLES.get(format) : SIMPLE;
  return style ?? (inForm ? STYLES.get("csv")! : SIMPLE);
}
