import { referenceName } from "../../model/api.ts";
import type { Schema } from "../../model/schema.ts";
import type { Bounds, ValueType } from "../../model/value.ts";
import { clipWords } from "../words/clip-words.ts";
import { type FlatSchema, flattenSchema, isNever, type Spot, type ValueKind } from "./flatten-schema.ts";
import { isBinary } from "./is-binary.ts";
import { listVariants } from "./list-variants.ts";
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

export interface ReadType {
  readonly type: ValueType;
  /** The kinds of value that the place takes, where they are too unlike for one type: the author has to choose. */
  readonly union?: readonly string[];
}

/** What a caller may write where the spec wants `spot`. `chosen` keeps only the choices of that JSON type, where there are some. */
export function readType(spot: Spot, reader: TypeReader, extent: Extent = WHOLE_INPUT, chosen?: ValueKind): ReadType {
  const flat = flattenSchema(spot, reader);
  const { variants, nullable, more } = listVariants(flat, reader);
  const fitting = chosen === undefined ? variants : variants.filter((one) => fits(one, chosen));
  const merged = mergeVariants(fitting.length > 0 ? fitting : variants, reader);
  const words = describe(fitting.length === 1 ? fitting[0]! : flat, extent);
  if (merged.kind === "unlike") {
    const note = `One of ${merged.kinds.join(", ")}, as JSON text.`;
    return { type: withBase({ kind: "json" }, join(words, note), nullable), union: merged.kinds };
  }
  if (more) {
    const [kind] = merged.flat.types;
    const note = kind === "object" || kind === "array" ? tooDeep(flat, kind) : undefined;
    return { type: withBase({ kind: "json" }, join(words, note), nullable) };
  }
  const type = readPlain(merged.flat, reader, extent);
  const preset = readPreset(flat.own.default ?? merged.flat.own.default, type);
  const based = withBase(type, join(words, merged.note, type.description), nullable);
  return { type: preset === undefined ? based : { ...based, preset } };
}

function fits(flat: FlatSchema, chosen: ValueKind): boolean {
  const [type] = flat.types;
  return type === undefined || type === chosen || (type === "integer" && chosen === "number");
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
  const enforced = pattern !== undefined && isEnforceable(pattern);
  if (pattern !== undefined && !enforced) reader.unenforced.add(pattern);
  return {
    kind: "string",
    ...(own.minLength !== undefined && own.minLength > 0 && { minLength: own.minLength }),
    ...(own.maxLength !== undefined && { maxLength: own.maxLength }),
    ...(enforced && { pattern }),
    ...(own.format !== undefined && { format: own.format }),
    ...(reader.files === true && isBinary(own) && { file: true as const }),
  };
}

function readNumber(own: Schema, kind: "integer" | "number"): ValueType {
  const bounds = kind === "integer" || own.format === "int64" ? wholeBounds(boundsOf(own)) : boundsOf(own);
  if (kind === "number" && own.format !== "int64") return { kind, ...bounds };
  const isWide = own.format === "int64" || own.format === "uint64";
  const fits = bounds.maximum !== undefined && bounds.maximum <= Number.MAX_SAFE_INTEGER;
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

function describe(flat: FlatSchema, extent: Extent): string | undefined {
  const text = flat.own.description;
  const most = extent.depth < WHOLE_INPUT.depth ? NESTED_DESCRIPTION : DESCRIPTION;
  return text === undefined || text.trim() === "" ? undefined : clipWords(text, most);
}

function join(...parts: readonly (string | undefined)[]): string | undefined {
  const said = parts.filter((part) => part !== undefined && part !== "");
  return said.length === 0 ? undefined : said.map((part) => (/[.!?…:]$/.test(part!) ? part : `${part}.`)).join(" ");
}

function withBase(type: ValueType, description: string | undefined, nullable: boolean): ValueType {
  const { description: _old, ...rest } = type;
  return {
    ...rest,
    ...(description !== undefined && { description }),
    ...((nullable || type.nullable === true) && { nullable: true as const }),
  };
}
