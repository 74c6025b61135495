import { isJsonObject, type Json } from "../../model/json.ts";
import type { PortableSchema } from "../../model/schema.ts";
import type { ValueType } from "../../model/value.ts";

/** What a caller's value becomes for the upstream: names and values in its words, without what is only said of them. */
export function wireType(type: ValueType): Json {
  switch (type.kind) {
    case "enum": {
      const odd = type.values.filter(({ text, wire }) => text !== String(wire)).map(({ text, wire }) => [text, wire]);
      const of = [...new Set(type.values.map(({ wire }) => typeof wire))].toSorted();
      // Values that are their own words are sent as any text, and which there are the schema says.
      return odd.length === 0 && of.join() === "string"
        ? { kind: "string", file: false }
        : { kind: type.kind, of, odd };
    }
    case "array":
      return { kind: type.kind, items: wireType(type.items) };
    case "map":
      return { kind: type.kind, values: wireType(type.values) };
    case "object":
      return {
        kind: type.kind,
        // Which there are the schema says; here is how those are sent that are not as they stand.
        properties: type.properties
          .map((one): [string, string, Json] => [one.name, one.wire, wireType(one.type)])
          .filter(([name, wire, told]) => name !== wire || !isPlainWire(told)),
        ...(type.others !== undefined && { others: wireType(type.others) }),
      };
    case "string":
      return { kind: type.kind, file: type.file === true };
    case "integer":
      return { kind: type.kind, digits: type.digits === true };
    case "number":
    case "boolean":
    case "date":
    case "date-time":
      return type.kind;
    case "json":
      if (type.texts === undefined) return type.kind;
      return { kind: type.kind, texts: type.texts.map(wireType), nested: type.nested === true };
    default:
      return type satisfies never;
  }
}

const PLAIN: ReadonlySet<string> = new Set(
  [{ kind: "string", file: false }, { kind: "integer", digits: false }, "number", "boolean"].map((one) =>
    JSON.stringify(one),
  ),
);

/** Whether a value is sent as its advertised schema says it. */
export function isPlainWire(told: Json): boolean {
  if (!isJsonObject(told)) return PLAIN.has(JSON.stringify(told));
  if (told.kind === "array") return isPlainWire(told.items ?? null);
  if (told.kind !== "object") return PLAIN.has(JSON.stringify(told));
  return JSON.stringify(told.properties) === "[]" && told.others === undefined;
}

/** What is checked of a value beyond what its advertised schema says; null where that is nothing. */
export function beyondSchema(type: ValueType, schema: PortableSchema | undefined): Json {
  const own = ownChecks(type, schema);
  const inside = insideChecks(type, schema).filter(([, checks]) => checks !== null);
  if (Object.keys(own).length === 0 && inside.length === 0) return null;
  return { own, inside };
}

/** What is taken beside what the advertised schema says: `null`, `"" at [].name`; a value's own names are the caller's. */
export function takenBeside(type: ValueType, place = ""): readonly string[] {
  const at = place === "" ? "" : ` at ${place}`;
  return [
    ...(type.nullable === true ? [`null${at}`] : []),
    ...(type.empty === true ? [`""${at}`] : []),
    ...insideTypes(type).flatMap(([name, one]) => takenBeside(one, name === "[]" ? `${place}[]` : `${place}.${name}`)),
  ];
}

function ownChecks(type: ValueType, schema: PortableSchema | undefined): Readonly<Record<string, Json>> {
  switch (type.kind) {
    case "string":
      return {
        ...(type.pattern !== undefined && type.pattern !== schema?.pattern && { pattern: type.pattern }),
        ...(type.format !== undefined && { format: type.format }),
      };
    case "integer":
    case "number": {
      const { exclusiveMinimum, exclusiveMaximum, multipleOf, minimum, maximum } = type;
      const told = { minimum: schema?.minimum ?? minimum, maximum: schema?.maximum ?? maximum };
      return defined({
        exclusiveMinimum,
        exclusiveMaximum,
        multipleOf,
        // Of digits the schema says no bounds.
        minimum: told.minimum === schema?.minimum ? undefined : minimum,
        maximum: told.maximum === schema?.maximum ? undefined : maximum,
      });
    }
    case "array":
      return type.uniqueItems === true ? { uniqueItems: true } : {};
    case "date":
    case "date-time":
    case "json":
      return { kind: type.kind };
    case "map":
    case "object":
      return type.names === undefined ? {} : { names: type.names };
    case "boolean":
    case "enum":
      return {};
    default:
      return type satisfies never;
  }
}

function insideChecks(type: ValueType, schema: PortableSchema | undefined): [string, Json][] {
  return insideTypes(type).map(([name, one]) => [name, beyondSchema(one, schemaInside(type, schema, name))]);
}

function schemaInside({ kind }: ValueType, schema: PortableSchema | undefined, name: string) {
  if (kind === "array") return schema?.items;
  return kind === "map" ? schema?.items?.properties?.value : schema?.properties?.[name];
}

function insideTypes(type: ValueType): readonly (readonly [name: string, type: ValueType])[] {
  switch (type.kind) {
    case "array":
      return [["[]", type.items]];
    case "map":
      return [["{}", type.values]];
    case "object":
      return type.properties.map((one) => [one.name, one.type]);
    default:
      return [];
  }
}

function defined(values: Readonly<Record<string, number | undefined>>): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, number] => entry[1] !== undefined),
  );
}
