import type { Api } from "../../model/api.ts";
import type { Schema } from "../../model/schema.ts";
import { listAlternatives, propertyNames, propertyOf } from "./list-alternatives.ts";
import {
  ANY,
  BOOLEAN,
  elementsOf,
  listOf,
  NUMBER,
  orNull,
  STRING,
  schemaOf,
  tupleOf,
  unionOf,
  withoutNull,
} from "./type-algebra.ts";

export type ArgumentType = "any" | "number" | "string" | "array" | "object" | "expression";

/** What a call is made of: the types of its arguments, and for an `&expression` the type that it has over the elements of the list. */
export interface TypedCall {
  readonly api: Api;
  readonly types: readonly Schema[];
  readonly expression: Schema;
}

export interface FunctionType {
  /** Argument by argument; the last may come again. */
  readonly takes: readonly (readonly ArgumentType[])[];
  readonly gives: (call: TypedCall) => Schema;
}

const number: readonly ArgumentType[] = ["number"];
const string: readonly ArgumentType[] = ["string"];
const list: readonly ArgumentType[] = ["array"];
const object: readonly ArgumentType[] = ["object"];
const expression: readonly ArgumentType[] = ["expression"];
const any: readonly ArgumentType[] = ["any"];

const always = (type: Schema) => () => type;
const first = ({ types }: TypedCall): Schema => types[0] ?? ANY;
const elements = ({ api, types }: TypedCall): Schema => elementsOf(types[0] ?? ANY, api) ?? ANY;

/** The functions of @jmespath-community/jmespath 1.3 and what they give. */
export const FUNCTION_TYPES: ReadonlyMap<string, FunctionType> = new Map<string, FunctionType>([
  ["abs", { takes: [number], gives: always(NUMBER) }],
  ["avg", { takes: [list], gives: always(orNull(NUMBER)) }],
  ["ceil", { takes: [number], gives: always(NUMBER) }],
  ["contains", { takes: [["string", "array"], any], gives: always(orNull(BOOLEAN)) }],
  ["ends_with", { takes: [string, string], gives: always(BOOLEAN) }],
  ["find_first", { takes: [string, string, number, number], gives: always(orNull(NUMBER)) }],
  ["find_last", { takes: [string, string, number, number], gives: always(orNull(NUMBER)) }],
  ["floor", { takes: [number], gives: always(NUMBER) }],
  ["from_items", { takes: [list], gives: always({ type: "object" }) }],
  [
    "group_by",
    { takes: [list, expression], gives: (call) => ({ type: "object", additionalProperties: listOf(elements(call)) }) },
  ],
  ["items", { takes: [object], gives: (call) => listOf(tupleOf([STRING, valuesOf(call)])) }],
  ["join", { takes: [string, list], gives: always(STRING) }],
  ["keys", { takes: [object], gives: always(listOf(STRING)) }],
  ["length", { takes: [["string", "array", "object"]], gives: always(NUMBER) }],
  ["lower", { takes: [string], gives: always(STRING) }],
  ["map", { takes: [expression, list], gives: (call) => listOf(call.expression) }],
  ["max", { takes: [list], gives: (call) => orNull(elements(call)) }],
  ["max_by", { takes: [list, expression], gives: (call) => orNull(elements(call)) }],
  // Later objects win, and of schemas that contradict each other the first is believed.
  ["merge", { takes: [object], gives: ({ types }) => ({ allOf: types.toReversed() }) }],
  ["min", { takes: [list], gives: (call) => orNull(elements(call)) }],
  ["min_by", { takes: [list, expression], gives: (call) => orNull(elements(call)) }],
  ["not_null", { takes: [any], gives: ({ api, types }) => orNull(unionOf(types.map((t) => withoutNull(t, api)))) }],
  ["pad_left", { takes: [string, number, string], gives: always(STRING) }],
  ["pad_right", { takes: [string, number, string], gives: always(STRING) }],
  ["replace", { takes: [string, string, string, number], gives: always(STRING) }],
  ["reverse", { takes: [["string", "array"]], gives: first }],
  ["sort", { takes: [list], gives: first }],
  ["sort_by", { takes: [list, expression], gives: first }],
  ["split", { takes: [string, string, number], gives: always(listOf(STRING)) }],
  ["starts_with", { takes: [string, string], gives: always(BOOLEAN) }],
  ["sum", { takes: [list], gives: always(NUMBER) }],
  ["to_array", { takes: [any], gives: toArray }],
  ["to_number", { takes: [any], gives: always(orNull(NUMBER)) }],
  ["to_string", { takes: [any], gives: always(STRING) }],
  ["trim", { takes: [string, string], gives: always(STRING) }],
  ["trim_left", { takes: [string, string], gives: always(STRING) }],
  ["trim_right", { takes: [string, string], gives: always(STRING) }],
  ["type", { takes: [any], gives: always(STRING) }],
  ["upper", { takes: [string], gives: always(STRING) }],
  ["values", { takes: [object], gives: (call) => listOf(valuesOf(call)) }],
  ["zip", { takes: [list], gives: zip }],
]);

/** What the values of an object may be: of the listed properties and of those that are only allowed. */
function valuesOf(call: TypedCall): Schema {
  return valueTypes(first(call), call.api) ?? ANY;
}

/** Undefined where the type is never an object. */
export function valueTypes(type: Schema, api: Api): Schema | undefined {
  const objects = listAlternatives(type, api).filter((one) => one.type === "object" || one.type === "any");
  if (objects.length === 0) return undefined;
  return unionOf(
    objects.flatMap((one) => {
      const listed = propertyNames(one).map((name) => propertyOf(one, name) ?? ANY);
      const further = propertyOf(one, "\u0000");
      return further === undefined ? listed : [...listed, further];
    }),
  );
}

function toArray({ api, types }: TypedCall): Schema {
  const single = listAlternatives(types[0] ?? ANY, api).filter((one) => one.type !== "array");
  const inside = elementsOf(types[0] ?? ANY, api);
  return listOf(unionOf([...(inside === undefined ? [] : [inside]), ...single.map(schemaOf)]));
}

function zip({ api, types }: TypedCall): Schema {
  return listOf(tupleOf(types.map((one) => elementsOf(one, api) ?? ANY)));
}
