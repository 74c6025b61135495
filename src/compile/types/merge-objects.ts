import { isDeepStrictEqual } from "node:util";
import type { Schema } from "../../model/schema.ts";
import { clipWords } from "../words/clip-words.ts";
import { type FlatSchema, flattenSchema, ownProperty, type SchemaReader } from "./flatten-schema.ts";

export type MergedVariants =
  /** `note` says in words what one type cannot. */
  | { readonly kind: "one"; readonly flat: FlatSchema; readonly note?: string }
  | { readonly kind: "unlike"; readonly kinds: readonly string[] };

const MOST_NAMES = 8;
const LONGEST_NOTE = 600;

/** Choices that are all objects become one object with the properties of all; the rules between them are said in words. */
export function mergeObjects(variants: readonly FlatSchema[], reader: SchemaReader): MergedVariants {
  const first = variants[0]!;
  const names = [...new Set(variants.flatMap(({ own }) => Object.keys(own.properties ?? {})))];
  const required = names.filter((name) => variants.every(({ own }) => own.required?.includes(name)));
  const properties = Object.fromEntries(names.map((name) => [name, propertyOf(variants, name)]));
  const open = variants.find(({ own }) => own.additionalProperties !== undefined)?.own.additionalProperties;
  const own: Schema = {
    ...(names.length > 0 && { properties }),
    ...(required.length > 0 && { required }),
    ...(names.length === 0 && open !== undefined && { additionalProperties: open }),
  };
  const note = describeRules(variants, names, required, reader);
  return {
    kind: "one",
    flat: { ...first, own, trail: longestTrail(variants) },
    ...(note !== undefined && { note }),
  };
}

function propertyOf(variants: readonly FlatSchema[], name: string): Schema {
  const distinct: Schema[] = [];
  for (const { own } of variants) {
    const schema = ownProperty(own, name);
    if (schema !== undefined && !distinct.some((known) => known === schema || isDeepStrictEqual(known, schema)))
      distinct.push(schema);
  }
  return distinct.length === 1 ? distinct[0]! : { anyOf: distinct };
}

/** The choice that went through most references: a recursion in any of them counts. */
function longestTrail(variants: readonly FlatSchema[]): readonly string[] {
  return variants.reduce((most: readonly string[], { trail }) => (trail.length > most.length ? trail : most), []);
}

function describeRules(
  variants: readonly FlatSchema[],
  names: readonly string[],
  required: readonly string[],
  reader: SchemaReader,
): string | undefined {
  const rules = variants.map((variant) => {
    const needs = (variant.own.required ?? []).filter((name) => names.includes(name) && !required.includes(name));
    const own = Object.keys(variant.own.properties ?? {});
    const only = own.filter((name) => !needs.includes(name) && !variants.every((one) => ownProperty(one.own, name)));
    const label = labelOf(variant, variants, reader);
    const parts = [
      ...(needs.length > 0 ? [`needs ${list(needs)}`] : []),
      ...(only.length > 0 ? [`takes ${list(only.filter((name) => name !== label?.name))}`] : []),
    ].filter((part) => !part.endsWith(" "));
    return { label: label?.text, rule: parts.join(", ") };
  });
  if (rules.every(({ rule }) => rule === "")) return undefined;
  const lines = rules.map(({ label, rule }, at) => `${label ?? `(${at + 1})`} ${rule === "" ? "takes no more" : rule}`);
  return clipWords(`One of: ${lines.join("; ")}.`, LONGEST_NOTE);
}

function list(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).join(", ");
  return names.length > MOST_NAMES ? `${shown} and ${names.length - MOST_NAMES} more` : shown;
}

/** The property whose one value tells this choice from the others, for example `type card`. */
function labelOf(variant: FlatSchema, all: readonly FlatSchema[], reader: SchemaReader) {
  for (const name of Object.keys(variant.own.properties ?? {})) {
    const values = all.map((one) => oneValue(one, name, reader));
    const own = oneValue(variant, name, reader);
    if (own !== undefined && values.filter((value) => value === own).length === 1)
      return { name, text: `${name} ${own}` };
  }
  return undefined;
}

function oneValue(variant: FlatSchema, name: string, reader: SchemaReader): string | undefined {
  const schema = ownProperty(variant.own, name);
  if (schema === undefined) return undefined;
  const { own } = flattenSchema({ schema, trail: [] }, reader);
  const value = own.const ?? (own.enum?.length === 1 ? own.enum[0] : undefined);
  return value === undefined || value === null || typeof value === "object" ? undefined : String(value);
}
