import type { FilterParameter, WrittenFilter } from "../model/filter.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { type Leaf, type LeafClause, templateOf } from "./dialect.ts";
import { NotExpressible } from "./refusal.ts";
import { fillJsonTemplate } from "./write-template.ts";

export interface Inner {
  /** The parameter of a leaf that has a template. */
  base(leaf: Leaf): string;
  /** The parameter of a key inside of it. */
  join(name: string, key: string): string;
  /** Lists give a parameter for each index; else their items stand in one, with commas between them. */
  readonly indexed?: true;
}

/**
 * One parameter a condition, all of which hold. Of two parameters of one name most servers read one, so a second is refused and never sent.
 * `inner` names what an author's template puts inside a parameter.
 */
export function writeParameters(
  leaves: readonly LeafClause[],
  write: (leaf: Leaf) => FilterParameter,
  inner: Inner,
): WrittenFilter {
  const seen = new Set<string>();
  const parameters = leaves.flatMap(({ leaf }) => {
    const template = templateOf(leaf);
    const written =
      template === undefined ? [write(leaf)] : flattenParameters(inner.base(leaf), fillRaw(template, leaf), inner);
    for (const [name] of written) {
      if (seen.has(name)) throw secondOfAKind(leaf);
      seen.add(name);
    }
    return written;
  });
  return { kind: "parameters", parameters };
}

export function secondOfAKind({ path, field }: Leaf): NotExpressible {
  return new NotExpressible(path, `There can be one condition of this kind on \`${field.name}\` only.`);
}

/** An author's template for a value that is sent by itself. */
export function fillRaw(template: Json, leaf: Leaf): Json {
  return fillJsonTemplate(template, { leaf, word: leaf.op, literal: ({ text }) => text });
}

/** The parameters of a value: one for each scalar inside of it. */
export function flattenParameters(name: string, value: Json, inner: Omit<Inner, "base">): FilterParameter[] {
  if (Array.isArray(value) && !inner.indexed) return [[name, value.map(String).join(",")]];
  if (typeof value !== "object" || value === null) return [[name, String(value)]];
  return Object.entries(value as JsonObject).flatMap(([key, inside]) =>
    flattenParameters(inner.join(name, key), inside, inner),
  );
}
