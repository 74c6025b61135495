import type { Json } from "../../model/json.ts";
import type { Schema } from "../../model/schema.ts";
import type { FlatSchema, SchemaReader } from "./flatten-schema.ts";
import { isBinary } from "./is-binary.ts";
import { type MergedVariants, mergeObjects } from "./merge-objects.ts";

const MOST_EXAMPLES = 5;

/** The choices of a union as one schema without unions, or the kinds that do not go together. */
export function mergeVariants(variants: readonly FlatSchema[], reader: SchemaReader): MergedVariants {
  const [first] = variants;
  if (first === undefined)
    return one({ own: {}, types: [], nullable: false, unions: [], isExclusive: false, conditions: [], trail: [] });
  if (variants.length === 1) return one(first);
  if (variants.every(({ own }) => valuesOf(own) !== undefined && own.enum?.length !== 0)) {
    const values = variants.flatMap(({ own }) => valuesOf(own) ?? []);
    return one({ ...first, own: { enum: values } });
  }
  const kinds = new Set(variants.map(({ types: [type] }) => (type === "integer" ? "number" : type)));
  if (kinds.size > 1) return { kind: "unlike", kinds: [...new Set(variants.map(nameKind))] };
  switch (first.types[0]) {
    case "object":
      return mergeObjects(variants, reader);
    case "array":
      return one({
        ...first,
        own: { ...loosest(variants), items: { anyOf: variants.map(({ own }) => own.items ?? {}) } },
      });
    default: {
      const types = variants.some(({ types: [type] }) => type === "number") ? (["number"] as const) : first.types;
      const note = knownValues(variants);
      return { kind: "one", flat: { ...first, types, own: loosest(variants) }, ...(note !== undefined && { note }) };
    }
  }
}

function one(flat: FlatSchema): MergedVariants {
  return { kind: "one", flat };
}

function valuesOf(own: Schema): readonly Json[] | undefined {
  return own.const === undefined ? own.enum : [own.const];
}

const LOOSER: Partial<Record<keyof Schema, (...values: number[]) => number>> = {
  minimum: Math.min,
  exclusiveMinimum: Math.min,
  minLength: Math.min,
  minItems: Math.min,
  maximum: Math.max,
  exclusiveMaximum: Math.max,
  maxLength: Math.max,
  maxItems: Math.max,
};

/** The limits that hold for every choice, each as wide as the widest; an open choice beside a closed list opens it. */
function loosest(variants: readonly FlatSchema[]): Schema {
  const limits = Object.entries(LOOSER).flatMap(([keyword, pick]) => {
    const values = variants.map(({ own }) => own[keyword as keyof Schema]);
    return values.every((value) => typeof value === "number") ? [[keyword, pick(...values)] as const] : [];
  });
  const formats = new Set(variants.map(({ own }) => own.format));
  const [format] = formats;
  // Bytes beside other texts, such as the address of a file, may still be given as a file.
  const isFile = formats.size > 1 && variants.some(({ own }) => isBinary(own));
  return {
    ...Object.fromEntries(limits),
    ...(formats.size === 1 && format !== undefined && { format }),
    ...(isFile && { contentMediaType: "application/octet-stream" }),
  };
}

function knownValues(variants: readonly FlatSchema[]): string | undefined {
  const values = variants.flatMap(({ own }) => valuesOf(own) ?? []).filter((value) => value !== "" && value !== null);
  if (values.length === 0) return undefined;
  return `For example ${values.slice(0, MOST_EXAMPLES).map(String).join(", ")}.`;
}

const KIND_WORDS: Readonly<Record<string, string>> = { string: "text", array: "list", object: "JSON object" };

function nameKind({ types: [type] }: FlatSchema): string {
  return type === undefined ? "any JSON" : (KIND_WORDS[type] ?? type);
}
