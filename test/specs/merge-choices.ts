import { isJsonObject, type Json, type JsonObject } from "../../src/model/json.ts";
import { deref } from "./raw-document.ts";
import { listOf, type Slice, sliceSchema } from "./slice-schema.ts";

/**
 * What a portable type says of the choices of a union: those that are objects are one object with the properties of all, each by any of its
 * schemas; lists are one list; of what else there is one must fit. Which of them go together is not said.
 */
export function mergeChoices(choices: readonly Json[], slice: Slice): JsonObject {
  const flat = choices.flatMap((choice) => spread(choice, slice.document, new Set()));
  const objects = flat.filter((one) => kindOf(one) === "object");
  const lists = flat.filter((one) => kindOf(one) === "array");
  const others = flat.filter((one) => !objects.includes(one) && !lists.includes(one));
  return {
    anyOf: [
      ...others.map((one) => sliceSchema(one, slice)),
      ...(lists.length > 0
        ? [
            {
              type: "array",
              items: mergeChoices(
                lists.map((one) => one["items"] ?? {}),
                slice,
              ),
            },
          ]
        : []),
      ...(objects.length > 0 ? [mergeObjects(objects, slice)] : []),
      ...(flat.some(({ nullable }) => nullable === true) ? [{ type: "string", nullable: true, enum: [null] }] : []),
    ],
  };
}

function mergeObjects(objects: readonly JsonObject[], slice: Slice): JsonObject {
  const properties = new Map<string, Json[]>();
  for (const { properties: own } of objects) {
    for (const [name, schema] of Object.entries(isJsonObject(own) ? own : {})) {
      properties.set(name, [...(properties.get(name) ?? []), schema]);
    }
  }
  const isClosed = objects.every(({ additionalProperties }) => additionalProperties === false);
  return {
    type: "object",
    properties: Object.fromEntries(
      [...properties].map(([name, schemas]) => [name, slice.names.has(name) ? nameMerged(schemas, slice) : {}]),
    ),
    ...(isClosed && { additionalProperties: false }),
  };
}

/** As a component, as the choices of a property may lead back to the union that it stands in. */
function nameMerged(schemas: readonly Json[], slice: Slice): JsonObject {
  const distinct = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  const [only] = distinct;
  if (only !== undefined && distinct.length === 1) return sliceSchema(only, slice) as JsonObject;
  const key = `merged ${JSON.stringify(distinct)}`;
  const known = slice.schemas.get(key);
  if (known !== undefined) return { $ref: `#/components/schemas/${known.name}` };
  const entry: { name: string; schema?: Json } = { name: `Merged_${slice.schemas.size}` };
  slice.taken.add(entry.name);
  slice.schemas.set(key, entry);
  entry.schema = mergeChoices(distinct, slice);
  return { $ref: `#/components/schemas/${entry.name}` };
}

function kindOf({ type, properties }: JsonObject): string | undefined {
  const [kind] = [type].flat().filter((one) => one !== "null");
  return typeof kind === "string" ? kind : properties === undefined ? undefined : "object";
}

/** The choices in a choice, each with its `allOf` laid together; one without a rule where it leads back to itself. */
function spread(choice: Json, document: JsonObject, through: ReadonlySet<unknown>): JsonObject[] {
  const whole = deref(document, choice);
  const identity = isJsonObject(choice) && choice["$ref"] !== undefined ? choice["$ref"] : choice;
  if (through.has(identity)) return [{}];
  const inside = new Set([...through, identity]);
  const { allOf, oneOf, anyOf, ...own } = whole;
  const parts = listOf(allOf).map((part) => spread(part, document, inside));
  const unions = [oneOf, anyOf].filter((union) => union !== undefined);
  const choices = unions.map((union) => listOf(union).flatMap((one) => spread(one, document, inside)));
  return [...parts, ...choices].reduce<JsonObject[]>(
    (found, more) => found.flatMap((a) => more.map((b) => layTogether(a, b))).slice(0, MOST),
    [own],
  );
}

const MOST = 400;

function layTogether(a: JsonObject, b: JsonObject): JsonObject {
  const properties = [a, b].flatMap((one) =>
    isJsonObject(one["properties"]) ? Object.entries(one["properties"]) : [],
  );
  return { ...a, ...b, ...(properties.length > 0 && { properties: Object.fromEntries(properties) }) };
}
