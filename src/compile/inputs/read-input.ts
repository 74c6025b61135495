import type { InputEntry } from "../../curation/format.ts";
import type { Json } from "../../model/json.ts";
import type { Place } from "../../model/place.ts";
import type { Schema } from "../../model/schema.ts";
import type { Input } from "../../model/tool.ts";
import type { ValueType } from "../../model/value.ts";
import type { EntryPath, Report } from "../open-report.ts";
import { findPlace, type Site } from "../places/find-place.ts";
import type { Target } from "../places/request-places.ts";
import { wirePlace } from "../places/wire-type.ts";
import { flattenSchema, type Spot, type ValueKind } from "../types/flatten-schema.ts";
import { portableSchema } from "../types/portable-schema.ts";
import { callerForm, isTellable } from "../types/read-preset.ts";
import { type ReadType, readType } from "../types/read-type.ts";
import { refuseValue } from "../types/refuse-value.ts";
import { residualSchema } from "../types/residual-schema.ts";
import { type Extent, WHOLE_INPUT } from "../types/type-reader.ts";
import { overrideType } from "./override-type.ts";
import { readDefault, specDefault } from "./read-default.ts";
import { callerTypeOf, readEnd, readForm } from "./read-form.ts";

/** An input but for whether callers must give it, which depends on the others. */
export interface InputDraft {
  readonly input: Omit<Input, "required">;
  /** The author's word; undefined where the place decides. */
  readonly required?: boolean;
  /** What the spec says is there when nothing is sent. */
  readonly said?: { readonly value: Json; readonly isDefault: boolean };
}

/** One entry under `input`, with what it takes from the first place where it stands whole (none: it goes into expressions only); `target` is of that place. */
export function readInput(
  name: string,
  entry: InputEntry,
  at: EntryPath,
  site: Site | undefined,
  target: Target | undefined,
  report: Report,
): InputDraft {
  const read = baseType(name, entry, at, site, target, report);
  const type = overrideType(withNull(read.type, site, target), entry, at, target?.unchecked !== true, report);
  const form = readForm(entry, type, at, report);
  const end = readEnd(entry, type, at, report);
  // Where the form does not fit, what the default is to be is not known.
  const isFormed = entry.as === undefined || form !== undefined;
  const written =
    entry.default === undefined || !isFormed ? undefined : readDefault(entry.default, type, [...at, "default"], report);
  const said =
    form === undefined && target !== undefined && site?.spot !== undefined ? specValue(site, target) : undefined;
  return {
    input: {
      name,
      type,
      ...(form !== undefined && { form }),
      ...(written !== undefined && { default: written }),
      ...(end !== undefined && { end }),
      ...(read.residual !== undefined && { residual: read.residual }),
      ...(site !== undefined && { place: site.place satisfies Place }),
    },
    ...(entry.required !== undefined && { required: entry.required }),
    ...(said !== undefined && { said }),
  };
}

/** Free-form data may be null where a body takes null: there null is a value, and not the lack of one. */
function withNull(type: ValueType, site: Site | undefined, target: Target | undefined): ValueType {
  const isOpen = type.kind === "json" && site?.place.in === "body" && target !== undefined;
  return isOpen && wirePlace(site, target.reader).nullable ? { ...type, nullable: true } : type;
}

interface BaseType {
  readonly type: ValueType;
  readonly residual?: Schema;
}

function baseType(
  name: string,
  entry: InputEntry,
  at: EntryPath,
  site: Site | undefined,
  target: Target | undefined,
  report: Report,
): BaseType {
  const declared = entry.type === undefined ? undefined : declaredType(entry.type);
  const formed = declared ?? (entry.as === undefined ? undefined : callerTypeOf(entry.as));
  const spot = site?.spot;
  if (spot === undefined || target === undefined) {
    const type = formed ?? (entry.enum === undefined ? undefined : ({ kind: "string" } as const));
    if (type === undefined) {
      const why = site === undefined ? "stands whole in no place" : "goes to a place of which the spec says nothing";
      // An input that an expression names does not go to the place of its own name any more.
      const isUnsent = site === undefined && target !== undefined && findPlace(name, target).kind === "site";
      const hint = isUnsent ? `Add \`type\`, or send it: args: { ${name}: "\${input.${name}}" }.` : "Add `type`.";
      report.add("error", "place_needs_type", at, `\`${name}\` ${why}, so its type is not known.`, hint);
    }
    return { type: type ?? { kind: "json" } };
  }
  const read = readWithin(spot, target, declared === undefined ? undefined : wireKind(declared));
  const residual = residualSchema(spot, target.reader);
  const rest = { ...(residual !== undefined && { residual }) };
  if (formed !== undefined) return { type: sameKind(read.type, formed, entry), ...rest };
  if (read.union !== undefined && entry.enum === undefined) {
    const hint = "Choose one: set `type`, or send a part of it through `args`.";
    report.add("error", "union_needs_type", at, `\`${name}\` can be ${read.union.join(" or ")}.`, hint);
  }
  return { type: read.union !== undefined && entry.enum !== undefined ? openText(read.type) : read.type, ...rest };
}

/** Bytes of an input's advertised schema: every conversation pays for them. */
const MOST_SCHEMA_BYTES = 32_000;
const SMALLER: readonly Extent[] = [
  { depth: 3, nodes: 120 },
  { depth: 2, nodes: 60 },
  { depth: 1, nodes: 1 },
];

/** As much of a schema as callers can be shown; what is left out is JSON as text. */
function readWithin(spot: Spot, { reader }: Target, chosen: ValueKind | undefined): ReadType {
  let read = readType(spot, reader, WHOLE_INPUT, chosen);
  for (const extent of SMALLER) {
    if (JSON.stringify(portableSchema(read.type)).length <= MOST_SCHEMA_BYTES) break;
    read = readType(spot, reader, extent, chosen);
  }
  return read;
}

function openText(type: ValueType): ValueType {
  return { kind: "json", ...(type.nullable === true && { nullable: true }) };
}

/** The author's type, with the spec's limits where they are of the same kind, and its description in any case. */
function sameKind(read: ValueType, declared: ValueType, entry: InputEntry): ValueType {
  const { nullable, empty } = read;
  const description =
    read.kind === "json" && declared.kind !== "json" ? withoutChoice(read.description) : read.description;
  const base = {
    ...(description !== undefined && { description }),
    ...(nullable !== undefined && { nullable }),
    ...(empty !== undefined && { empty }),
  };
  // Limits of the upstream's form, such as seconds or cents, are none of the caller's.
  if (entry.as !== undefined) return { ...declared, ...base };
  if (read.kind === declared.kind) {
    if (read.kind === "integer") return withoutDigits(read);
    if (read.kind !== "array" || declared.kind !== "array") return read;
    return { ...read, items: sameKind(read.items, declared.items, entry) };
  }
  if (read.kind === "enum" && declared.kind === "string") return read;
  return { ...declared, ...base };
}

/** How a union is written as text is of no use where the author chose one of its types. */
function withoutChoice(description: string | undefined): string | undefined {
  const rest = description?.replace(/\s*One of [^.]*\bas JSON text\.$/, "");
  return rest === "" ? undefined : rest;
}

function withoutDigits(type: ValueType & { kind: "integer" }): ValueType {
  const { digits: _digits, ...rest } = type;
  return rest;
}

function declaredType(word: NonNullable<InputEntry["type"]>): ValueType {
  if (word.endsWith("[]")) return { kind: "array", items: declaredType(word.slice(0, -2) as typeof word) };
  return {
    kind:
      word === "decimal"
        ? "number"
        : (word as "string" | "integer" | "number" | "boolean" | "date" | "date-time" | "json"),
  };
}

function wireKind(type: ValueType): ValueKind | undefined {
  switch (type.kind) {
    case "integer":
    case "number":
    case "boolean":
    case "array":
      return type.kind;
    case "json":
      return undefined;
    default:
      return "string";
  }
}

function specValue(site: Site, target: Target): InputDraft["said"] {
  const { own } = flattenSchema(site.spot!, target.reader);
  if (own.default !== undefined) return { value: own.default, isDefault: true };
  const only = own.const ?? (own.enum?.length === 1 ? own.enum[0] : undefined);
  return only === undefined ? undefined : { value: only, isDefault: false };
}

/** `needed`: the call cannot be made without a value. Then the spec's own default is sent, which callers need not know. */
export function finishInput({ input, required, said }: InputDraft, needed: boolean): Input {
  if (input.default !== undefined || required === true) return { ...input, required: required ?? false };
  const fallback =
    needed && required === undefined && said !== undefined ? specDefault(said.value, input.type) : undefined;
  if (fallback !== undefined) return { ...input, default: fallback, required: false };
  const isRequired = required ?? needed;
  const told =
    isRequired || said?.isDefault !== true
      ? input.type
      : withDefaultWords(input.type, callerForm(said.value, input.type));
  return { ...input, type: withFittingPreset(told), required: isRequired };
}

/** An author's own limits may leave the spec's default outside. */
function withFittingPreset(type: ValueType): ValueType {
  const { preset, ...rest } = type;
  return preset === undefined || refuseValue(preset, type) === undefined ? type : (rest as ValueType);
}

/** The upstream applies its default itself: it is told to callers and not sent. */
function withDefaultWords(type: ValueType, value: Json): ValueType {
  const isShort =
    (typeof value === "string" && value !== "" && value.length <= 40) ||
    typeof value === "number" ||
    typeof value === "boolean";
  const { description = "" } = type;
  if (!isShort || !isTellable(value) || /\bdefaults?\b/i.test(description)) return type;
  const lead = description === "" ? "" : `${description}${/[.!?…]$/.test(description) ? "" : "."} `;
  return { ...type, description: `${lead}Default: ${value}.` };
}
