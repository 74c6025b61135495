import type { Schema } from "../../model/schema.ts";
import { flattenSchema, ownProperty, type Spot } from "./flatten-schema.ts";
import { isBinary } from "./is-binary.ts";
import { isNever } from "./is-never.ts";
import type { Condition } from "./list-conditions.ts";
import { labelOf } from "./list-variants.ts";
import { isEnforceable } from "./read-pattern.ts";
import type { TypeReader } from "./type-reader.ts";

const DEEPEST = 8;
const MOST_NODES = 400;

/** Kept as they stand; annotations, formats and what refers elsewhere are not. */
const LEAVES = [
  "const",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "minProperties",
  "maxProperties",
  "uniqueItems",
] as const;

/** Not written at all. */
const LEFT_OPEN = [
  "patternProperties",
  "propertyNames",
  "prefixItems",
  "contains",
  "unevaluatedProperties",
  "unevaluatedItems",
];

/**
 * What a spec says of a value beyond a `ValueType` (choices, exclusions, conditions, several types, numbers of properties), self-contained and
 * without `$ref`; undefined where it says nothing more. Looser where it cannot be exact, never stricter: `oneOf` asks for one choice at
 * least, a recursion or a huge part is left open, and so are readOnly and pinned properties, which a caller does not send.
 */
export function residualSchema(spot: Spot, reader: TypeReader): Schema | undefined {
  const state: State = { reader, nodes: 0, cut: false };
  return write(spot, state, 0, false);
}

interface State {
  readonly reader: TypeReader;
  nodes: number;
  /** Something was left open, or written looser than it is. */
  cut: boolean;
}

/** `whole`: inside a choice everything counts; outside only what leads to one. */
function write(spot: Spot, state: State, depth: number, whole: boolean): Schema | undefined {
  state.nodes += 1;
  const flat = flattenSchema(spot, state.reader);
  // A subtype that includes its parent names it a second time, and is no recursion yet.
  const isRound = flat.trail.some((name) => flat.trail.filter((one) => one === name).length > 2);
  if (depth > DEEPEST || state.nodes > MOST_NODES || isRound) {
    state.cut = true;
    return undefined;
  }
  const { own, unions, trail } = flat;
  // A file may come as an object, and a text that holds its bytes is not what the schema describes.
  if (state.reader.files === true && isBinary(own)) {
    state.cut = true;
    return undefined;
  }
  state.cut ||= flat.isExclusive || isLooser(own);
  const below = (schema: Schema, inside: boolean) => write({ schema, trail }, state, depth + 1, inside);
  const choices = unions
    .filter((union) => whole || !isValueList(union, trail, state))
    .map((union) => union.map((branch) => below(labelled(branch, own, trail, state), true)))
    // A choice that anything fits asks for nothing.
    .flatMap((branches) => (branches.includes(undefined) ? [] : [{ anyOf: branches as Schema[] }]));
  const not = own.not === undefined || isNever(own) ? undefined : exactly(own.not, below, state);
  const asked = [...choices, ...flat.conditions.flatMap((condition) => conditional(condition, below, state))];
  const inner = {
    ...nested("properties", settable(flat.own.properties, trail, state), (schema) => below(schema, whole)),
    ...single("items", own.prefixItems === undefined ? own.items : undefined, (schema) => below(schema, whole)),
    ...single("additionalProperties", valuesSchema(own), (schema) => below(schema, whole)),
  };
  const counts = own.minProperties !== undefined || own.maxProperties !== undefined || flat.types.length > 1;
  const says = asked.length > 0 || not !== undefined || counts;
  if (!whole && !says) return Object.keys(inner).length > 0 ? inner : undefined;
  const written: Schema = {
    ...ownWords(flat.own, flat, state),
    ...inner,
    ...(asked.length > 0 && { allOf: asked }),
    ...(not !== undefined && { not }),
  };
  return Object.keys(written).length > 0 ? written : undefined;
}

/** A discriminator tells the choices apart where they do not do so themselves. */
function labelled(branch: Schema, own: Schema, trail: readonly string[], { reader }: State): Schema {
  const label = labelOf(branch, own, trail, reader);
  return label === undefined ? branch : { allOf: [branch, label] };
}

/** A choice among closed lists of values is a longer list, which the type says by itself. */
function isValueList(union: readonly Schema[], trail: readonly string[], state: State): boolean {
  return union.every((schema) => {
    const { own, unions, types, nullable } = flattenSchema({ schema, trail }, state.reader);
    const isList = own.const !== undefined || own.enum !== undefined || (nullable && types.length === 0);
    return isList && unions.length === 0 && types[0] !== "object";
  });
}

function ownWords(own: Schema, flat: { types: readonly string[]; nullable: boolean }, state: State): Schema {
  const types = flat.nullable ? [...flat.types, "null"] : [...flat.types];
  const required = (own.required ?? []).filter((name) => !isLeftOut(name, ownProperty(own, name), state));
  state.cut ||= required.length < (own.required ?? []).length;
  const leaves = LEAVES.flatMap((keyword) => (own[keyword] === undefined ? [] : [[keyword, own[keyword]] as const]));
  return {
    ...(types.length > 0 && { type: types.length === 1 ? types[0] : types }),
    ...(own.enum !== undefined && { enum: flat.nullable ? [...own.enum, null] : own.enum }),
    ...Object.fromEntries(leaves),
    ...(own.pattern !== undefined && isEnforceable(own.pattern) && { pattern: own.pattern }),
    ...(required.length > 0 && { required }),
  } as Schema;
}

function isLeftOut(name: string, schema: Schema | undefined, state: State): boolean {
  if (state.reader.pinned.has(name.toLowerCase())) return true;
  return schema !== undefined && flattenSchema({ schema, trail: [] }, state.reader).own.readOnly === true;
}

function settable(properties: Schema["properties"], trail: readonly string[], state: State) {
  const all = Object.entries(properties ?? {});
  const set = all.filter(([name, schema]) => {
    const { own } = flattenSchema({ schema, trail }, state.reader);
    return own.readOnly !== true && !state.reader.pinned.has(name.toLowerCase());
  });
  state.cut ||= set.length < all.length;
  return set;
}

/** What is written of it takes more values than it does. */
function isLooser(own: Schema): boolean {
  const { additionalProperties: others, pattern } = own;
  const isClosed = others !== undefined && isNever(others);
  return isClosed || (pattern !== undefined && !isEnforceable(pattern)) || LEFT_OPEN.some((name) => name in own);
}

type Below = (schema: Schema, inside: boolean) => Schema | undefined;

function conditional({ given, asks, otherwise }: Condition, below: Below, state: State): readonly Schema[] {
  const holds = exactly(given, below, state);
  const sides = [
    ["then", asks && below(asks, true)],
    ["else", otherwise && below(otherwise, true)],
  ].filter(([, side]) => side !== undefined);
  state.cut ||= holds === undefined;
  return holds === undefined || sides.length === 0 ? [] : [Object.fromEntries([["if", holds], ...sides])];
}

/** An exclusion or a condition that is not exact would refuse what the spec allows. */
function exactly(schema: Schema, below: Below, state: State): Schema | undefined {
  const before = state.cut;
  state.cut = false;
  const written = below(schema, true);
  const exact = !state.cut;
  state.cut ||= before;
  return exact ? written : undefined;
}

function valuesSchema(own: Schema): Schema | undefined {
  return own.additionalProperties === undefined || isNever(own.additionalProperties)
    ? undefined
    : own.additionalProperties;
}

function nested(
  keyword: "properties",
  entries: readonly (readonly [string, Schema])[],
  below: (s: Schema) => Schema | undefined,
) {
  const written = entries.flatMap(([name, schema]) => {
    const inner = below(schema);
    return inner === undefined ? [] : [[name, inner] as const];
  });
  return written.length > 0 ? { [keyword]: Object.fromEntries(written) } : {};
}

function single(
  keyword: "items" | "additionalProperties",
  schema: Schema | undefined,
  below: (s: Schema) => Schema | undefined,
) {
  const inner = schema === undefined ? undefined : below(schema);
  return inner === undefined ? {} : { [keyword]: inner };
}
