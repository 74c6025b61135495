import type { Schema } from "../../model/schema.ts";
import type { Input } from "../../model/tool.ts";
import type { ValueType } from "../../model/value.ts";
import { ANY, BOOLEAN, listOf, NUMBER, objectOf, orNull, STRING } from "./type-algebra.ts";

/** What `$` is in an expression, and which of its schemas hold the curation's own names. */
export interface TypeRoots {
  readonly schema: Schema;
  readonly own: ReadonlyMap<Schema, OwnNames>;
}

export type OwnNames = "input" | "pin" | "step";

/** What there is in a workflow beside inputs and pins. */
export interface FlowRoots {
  readonly steps: readonly (readonly [id: string, type: Schema])[];
  /** The item of a `forEach`. */
  readonly item?: Schema;
}

/** The roots while a reply is shaped, or a step is sent: inputs in the caller's form, pins of any type. */
export function typeRoots(inputs: readonly Input[], pins: readonly string[], flow?: FlowRoots): TypeRoots {
  const input = objectOf(inputs.map((one) => [one.name, typeOfInput(one)] as const));
  const pin = objectOf(pins.map((name) => [name, ANY] as const));
  const steps = objectOf(flow?.steps ?? []);
  const schema = objectOf([
    ["input", input],
    ["pins", pin],
    ...(flow === undefined ? [] : [["steps", steps] as const]),
    ...(flow?.item === undefined ? [] : [["item", flow.item] as const]),
  ]);
  return {
    schema,
    own: new Map([
      [input, "input"],
      [pin, "pin"],
      [steps, "step"],
    ]),
  };
}

function typeOfInput(input: Input): Schema {
  const type = typeOfValue(input.identified?.type ?? input.type);
  return input.required || input.default !== undefined ? type : orNull(type);
}

/** A value as its caller writes it. */
function typeOfValue(type: ValueType): Schema {
  const schema = typeOfKind(type);
  return type.nullable ? orNull(schema) : schema;
}

function typeOfKind(type: ValueType): Schema {
  switch (type.kind) {
    case "enum":
      return { type: "string", enum: type.values.map((value) => value.text) };
    case "string":
    case "date":
    case "date-time":
      return STRING;
    case "integer":
      return type.digits ? STRING : NUMBER;
    case "number":
      return NUMBER;
    case "boolean":
      return BOOLEAN;
    case "array":
      return listOf(typeOfValue(type.items));
    case "object":
      return objectOf(
        type.properties.map((one) => [one.name, one.required ? typeOfValue(one.type) : orNull(typeOfValue(one.type))]),
      );
    case "map":
      return listOf(
        objectOf([
          ["key", STRING],
          ["value", typeOfValue(type.values)],
        ]),
      );
    case "json":
      return ANY;
    default:
      return type satisfies never;
  }
}
