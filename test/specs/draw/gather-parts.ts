import { type Api, isFault } from "../../../src/model/api.ts";
import type { Json } from "../../../src/model/json.ts";
import type { Schema } from "../../../src/model/schema.ts";
import type { Dice } from "./dice.ts";
import type { TextPlace } from "./draw-text.ts";

export interface Drawing {
  readonly api: Api;
  readonly dice: Dice;
  readonly place: TextPlace;
  /** How many values may still be drawn; beyond it only what must be there. */
  left: number;
}

/** Nothing can be drawn: a broken reference, a recursion that must go on for ever, a pattern that nothing was found for. */
export class Undrawable extends Error {}

/** The schema, what its `allOf` adds, and one choice of each of its unions. */
export function gatherParts(
  schema: Schema,
  drawing: Drawing,
  parts: Schema[],
  fixed: Map<string, Json>,
  depth: number,
  within: readonly string[] = [],
): void {
  if (depth > 20) throw new Undrawable("an allOf without end");
  const resolved = drawing.api.resolve(schema);
  if (isFault(resolved)) throw new Undrawable(resolved.fault);
  const { allOf = [], oneOf = [], anyOf = [], discriminator, ...own } = resolved.schema;
  parts.push(own);
  const subtypes = Object.entries(discriminator?.mapping ?? {});
  const isImplied = subtypes.length > 0 && oneOf.length === 0 && anyOf.length === 0;
  if (discriminator !== undefined && isImplied && !isWithin(resolved.through, subtypes, within)) {
    const [value, $ref] = drawing.dice.pick(subtypes);
    if (!resolved.through.includes($ref)) {
      fixed.set(discriminator.propertyName, value);
      gatherParts({ $ref }, drawing, parts, fixed, depth + 1, [...within, ...resolved.through]);
    }
  }
  for (const part of allOf) gatherParts(part, drawing, parts, fixed, depth + 1, [...within, ...resolved.through]);
  for (const union of [oneOf, anyOf]) {
    const choices = union.filter((choice) => choice.type !== "null" && !isOnlyEmpty(choice));
    if (choices.length === 0) continue;
    const listed = choices.map((choice) => listOfValues(choice, drawing));
    if (listed.every((values) => values !== undefined)) {
      parts.push({ enum: listed.flat() });
      continue;
    }
    const choice = drawing.dice.pick(choices);
    if (discriminator !== undefined && choice.$ref !== undefined) {
      const [mapped] = Object.entries(discriminator.mapping ?? {}).find(([, target]) => target === choice.$ref) ?? [];
      if (mapped !== undefined) fixed.set(discriminator.propertyName, mapped);
    }
    gatherParts(choice, drawing, parts, fixed, depth + 1, within);
  }
}

/** A subtype, or its parent met through it, is the choice already. */
function isWithin(
  through: readonly string[],
  subtypes: readonly (readonly [string, string])[],
  within: readonly string[],
): boolean {
  return within.some((name) => through.includes(name) || subtypes.some(([, target]) => target === name));
}

/** The values of a choice that is a list of values and nothing else. */
function listOfValues(choice: Schema, { api }: Drawing): readonly Json[] | undefined {
  const resolved = api.resolve(choice);
  if (isFault(resolved)) return undefined;
  const { const: only, enum: values, allOf, anyOf, oneOf, properties } = resolved.schema;
  if (allOf ?? anyOf ?? oneOf ?? properties) return undefined;
  return only === undefined ? values : [only];
}

/** What stands for "no value": null, the empty text that callers say by leaving the value out, and `{type: object, nullable: true}`. */
function isOnlyEmpty(schema: Schema): boolean {
  if (Array.isArray(schema.type) && schema.type.includes("null") && Object.keys(schema).length === 1) return true;
  const values = schema.const === undefined ? schema.enum : [schema.const];
  return values?.every((value) => value === null || value === "") === true;
}
