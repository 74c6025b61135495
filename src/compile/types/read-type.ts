import { referenceName } from "../../model/api.ts";
import type { Json } from "../../model/json.ts";
import type { Schema } from "../../model/schema.ts";
import type { Bounds, ValueType } from "../../model/value.ts";
import { clipWords } from "../words/clip-words.ts";
import { isPlain } from "../words/plain-text.ts";
import { type FlatSchema, flattenSchema, type Spot, type ValueKind } from "./flatten-schema.ts";
import { isBinary } from "./is-binary.ts";
import { isNever } from "./is-never.ts";
import { listVariants, type Variants } from "./list-variants.ts";
import { mergeVariants } from "./merge-variants.ts";
import { readEnum } from "./read-enum.ts";
import { readObject } from "./read-object.ts";
import { isEnforceable } from "./read-pattern.ts";
import { readPreset } from "./read-preset.ts";
import { type Extent, type TypeReader, WHOLE_INPUT } from "./type-reader.ts";

/** A reference that leads to itself is spelled out so often. */
const MOST_ROUNDS = 2;
const DESCRIPTION = 300;
const NESTED_DESCRIPTION = 160;
const LONGEST_EXAMPLE = 40;

type JsonType = Extract<ValueType, { kind: "json" }>;

export interface ReadType {
  readonly type: ValueType;
  /** The kinds of value that the place takes, where they are too unlike for one type: the author has to choose. */
  readonly union?: readonly string[];
}

/** What a caller may write where the spec wants `spot`. `chosen` keeps only the choices of that JSON type, where there are some. */
export function readType(spot: Spot, reader: TypeReader, extent: Extent = WHOLE_INPUT, chosen?: ValueKind): ReadType {
  const flat = flattenSchema(spot, reader);
  const { variants, more, ...allowed } = listVariants(flat, reader);
  const fitting = chosen === undefined ? variants : variants.filter((one) => fits(one, chosen));
  const merged = mergeVariants(fitting.length > 0 ? fitting : variants, reader);
  const words = describe(fitting.length === 1 ? fitting[0]! : flat, extent);
  if (merged.kind === "unlike") {
    const type = readUnlike(fitting.length > 0 ? fitting : variants, reader, extent);
    const how = type.texts === undefined ? ", as JSON text." : ": a text as it is, the rest as JSON text.";
    const note = `One of ${merged.kinds.join(", ")}${how}`;
    return { type: withBase(type, join(words, note), allowed), union: merged.kinds };
  }
  if (more) {
    const [kind] = merged.flat.types;
    const note = kind === "object" || kind === "array" ? tooDeep(flat, kind) : undefined;
    return { type: withBase({ kind: "json" }, join(words, note), allowed) };
  }
  const type = readPlain(merged.flat, reader, extent);
  const preset = readPreset(flat.own.default ?? merged.flat.own.default, type);
  const example = words === undefined ? exampleOf(flat.own.examples ?? merged.flat.own.examples, type) : undefined;
  const based = withBase(type, join(words, merged.note, type.description, example), allowed);
  return { type: preset === undefined ? based : { ...based, preset } };
}

function fits(flat: FlatSchema, chosen: ValueKind): boolean {
  const [type] = flat.types;
  return type === undefined || type === chosen || (type === "integer" && chosen === "number");
}

/** Kinds of value that no type of one kind holds: the texts among them are told, so that a text need not become what it looks like. */
function readUnlike(variants: readonly FlatSchema[], reader: TypeReader, extent: Extent): JsonType {
  const texts = variants.filter(({ types: [type] }) => type === "string").map((one) => readPlain(one, reader, extent));
  // What any text fits says it all.
  const open = texts.find((type) => type.kind === "string" && Object.keys(type).length === 1);
  const distinct = new Map((open === undefined ? texts : [open]).map((type) => [JSON.stringify(type), type]));
  const isNested = variants.some(({ types: [type] }) => type === "array" || type === "object" || type === undefined);
  if (distinct.size === 0) return { kind: "json" };
  return { kind: "json", texts: [...distinct.values()], ...(isNested && { nested: true as const }) };
}

/** A schema without unions. Its own description is not read again. */
function readPlain(flat: FlatSchema, reader: TypeReader, extent: Extent): ValueType {
  const { own } = flat;
  const values = readEnum(own);
  if (values !== undefined) return values;
  const [kind] = flat.types;
  switch (kind) {
    case undefined:
      return { kind: "json" };
    case "string":
      return readString(own, reader);
    case "integer":
    case "number":
      return readNumber(own, kind);
    case "boolean":
      return { kind };
    case "array":
    case "object":
      if (isTooDeep(flat, extent)) return { kind: "json", description: tooDeep(flat, kind) };
      return kind === "array" ? readList(flat, reader, extent) : readObject(flat, reader, deeper(extent), readType);
    default:
      return kind satisfies never;
  }
}

function readString(own: Schema, reader: TypeReader): ValueType {
  if (own.format === "date" || own.format === "date-time") return { kind: own.format };
  const { pattern } = own;
  if (pattern !== undefined && !isEnforceable(pattern)) reader.unenforced.add(pattern);
  return {
    kind: "string",
    ...(own.minLength !== undefined && own.minLength > 0 && { minLength: own.minLength }),
    ...(own.maxLength !== undefined && { maxLength: own.maxLength }),
    ...(pattern !== undefined && { pattern }),
    ...(own.format !== undefined && { format: own.format }),
    ...(reader.files === true && isBinary(own) && { file: true as const }),
  };
}

function readNumber(own: Schema, kind: "integer" | "number"): ValueType {
  const bounds = kind === "integer" || own.format === "int64" ? wholeBounds(boundsOf(own)) : boundsOf(own);
  if (kind === "number" && own.format !== "int64") return { kind, ...bounds };
  const { maximum } = bounds;
  const fits = maximum !== undefined && maximum <= Number.MAX_SAFE_INTEGER;
  // Without a format, who names the bound of such integers means them; a larger one bounds nothing.
  const isWide =
    own.format === "int64" || own.format === "uint64" || (own.format === undefined && (maximum ?? Infinity) <= 2 ** 64);
  return { kind: "integer", ...bounds, ...(isWide && !fits && { digits: true as const }) };
}

function boundsOf(own: Schema): Bounds {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = own;
  return {
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(exclusiveMinimum !== undefined && { exclusiveMinimum }),
    ...(exclusiveMaximum !== undefined && { exclusiveMaximum }),
    ...(multipleOf !== undefined && { multipleOf }),
  };
}

/** Between integers a bound that is left out is the next one that is taken in, which the portable subset can say. */
function wholeBounds({ exclusiveMinimum: over, exclusiveMaximum: under, ...bounds }: Bounds): Bounds {
  const least = [bounds.minimum, over === undefined ? undefined : Math.floor(over) + 1].filter(isNumber);
  const most = [bounds.maximum, under === undefined ? undefined : Math.ceil(under) - 1].filter(isNumber);
  return {
    ...bounds,
    ...(least.length > 0 && { minimum: Math.max(...least) }),
    ...(most.length > 0 && { maximum: Math.min(...most) }),
  };
}

function isNumber(value: number | undefined): value is number {
  return value !== undefined;
}

function readList(flat: FlatSchema, reader: TypeReader, extent: Extent): ValueType {
  const { items, prefixItems, minItems, maxItems, uniqueItems } = flat.own;
  const each = items !== undefined && !isNever(items) ? [items] : [];
  const schema = prefixItems === undefined ? each[0] : { anyOf: [...prefixItems, ...each] };
  const read = schema === undefined ? undefined : readType({ schema, trail: flat.trail }, reader, deeper(extent));
  return {
    kind: "array",
    items: read?.type ?? { kind: "json" },
    ...(minItems !== undefined && minItems > 0 && { minItems }),
    ...(maxItems !== undefined && { maxItems }),
    ...(uniqueItems === true && { uniqueItems }),
  };
}

function deeper(extent: Extent): Extent {
  return { depth: extent.depth - 1, nodes: extent.nodes - 1 };
}

function isTooDeep(flat: FlatSchema, extent: Extent): boolean {
  if (extent.depth <= 0 || extent.nodes <= 0) return true;
  return flat.trail.some((name) => flat.trail.filter((one) => one === name).length > MOST_ROUNDS);
}

function tooDeep(flat: FlatSchema, kind: "array" | "object"): string {
  const last = flat.trail.at(-1);
  const name = flat.own.title ?? (last === undefined ? undefined : referenceName(last));
  const what = name === undefined ? "" : ` (${clipWords(name, 60)})`;
  return kind === "array" ? `A JSON list${what}, as text.` : `A JSON object${what}, as text.`;
}

function describe({ own }: FlatSchema, extent: Extent): string | undefined {
  const { description = "", deprecated } = own;
  const most = extent.depth < WHOLE_INPUT.depth ? NESTED_DESCRIPTION : DESCRIPTION;
  const text = description.trim() === "" ? undefined : clipWords(description, most);
  return deprecated === true && !/deprecated/i.test(text ?? "") ? join("Deprecated", text) : text;
}

function join(...parts: readonly (string | undefined)[]): string | undefined {
  const said = parts.filter((part) => part !== undefined && part !== "");
  return said.length === 0 ? undefined : said.map((part) => (/[.!?…:]$/.test(part!) ? part : `${part}.`)).join(" ");
}

function withBase(
  type: ValueType,
  description: string | undefined,
  { nullable, empty }: Pick<Variants, "nullable" | "empty">,
): ValueType {
  const { description: _old, ...rest } = type;
  return {
    ...rest,
    ...(description !== undefined && { description }),
    ...((nullable || type.nullable === true) && { nullable: true as const }),
    ...(empty && !takesEmpty(type) && { empty: true as const }),
  };
}

/** One of the spec's examples of a text of which nothing else is told. */
function exampleOf(examples: readonly Json[] | undefined, type: ValueType): string | undefined {
  const [first] = examples ?? [];
  const isText = type.kind === "string" && type.file !== true && typeof first === "string";
  const isShort = isText && first.trim() !== "" && first.length <= LONGEST_EXAMPLE && isPlain(first);
  return isShort ? `For example ${first}.` : undefined;
}

function takesEmpty(type: ValueType): boolean {
  return type.kind === "string" && type.minLength === undefined && type.pattern === undefined;
}
