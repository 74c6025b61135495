import type { PortableSchema } from "../../../model/schema.ts";

/** A type in a word or two: `string[]`, `one of 3`, `date-time`. */
export function sayType(schema: PortableSchema): string {
  if (schema.enum !== undefined) return `one of ${schema.enum.length}`;
  if (schema.format !== undefined) return schema.format;
  if (schema.type === "array") return `${schema.items === undefined ? "any" : sayType(schema.items)}[]`;
  return schema.type ?? "any";
}

const BOUNDS = [
  ["minimum", "at least"],
  ["maximum", "at most"],
  ["minItems", "items at least"],
  ["maxItems", "items at most"],
  ["minLength", "characters at least"],
  ["maxLength", "characters at most"],
  ["pattern", "matches"],
] as const;

/** What a schema says of values beyond their type, each in a phrase. */
export function sayBounds(schema: PortableSchema): readonly string[] {
  const words = schema.enum ?? schema.items?.enum;
  return [
    ...(words === undefined ? [] : [words.join(", ")]),
    ...BOUNDS.flatMap(([key, phrase]) => (schema[key] === undefined ? [] : [`${phrase} ${schema[key]}`])),
    ...(schema.default === undefined ? [] : [`${JSON.stringify(schema.default)} unless said`]),
  ];
}
