import { isDeepStrictEqual } from "node:util";
import { referenceName } from "../../model/api.ts";
import { onceFor } from "../../model/once-for.ts";
import type { Discriminator, Schema } from "../../model/schema.ts";
import { type FlatSchema, flattenSchema, ownProperty, type SchemaReader, type Spot } from "./flatten-schema.ts";
import { isNever } from "./is-never.ts";

const MOST_VARIANTS = 64;
const DEEPEST_UNION = 8;

export interface Variants {
  /** Each without unions and of at most one type. */
  readonly variants: readonly FlatSchema[];
  readonly nullable: boolean;
  /** An empty text is one of the choices, beside others. */
  readonly empty: boolean;
  /** There are more choices than these. */
  readonly more: boolean;
}

/** The choices that a schema leaves at its root: one where it leaves none. What null alone fits is told by `nullable`. */
export function listVariants(flat: FlatSchema, reader: SchemaReader): Variants {
  const all = expand(flat, reader, 0, MOST_VARIANTS + 1);
  const more = all.length > MOST_VARIANTS && !all.every(({ own }) => isListed(own));
  const found = more ? all.slice(0, MOST_VARIANTS) : all;
  const nullable = flat.nullable || found.some((one) => one.nullable);
  const withValues = found.filter((one) => !isNullOnly(one) && !isNever(one.own));
  const sound = withValues.filter((one) => !isContradicted(one));
  const chosen = sound.length > 0 ? sound : withValues;
  const kept = withoutEmptyText(chosen);
  const empty = kept.length < chosen.length || kept.some(({ own }) => own.enum?.includes("") && own.enum.length > 1);
  return { variants: kept, nullable, empty, more };
}

/** At most `room` choices: choices among choices multiply. */
function expand(flat: FlatSchema, reader: SchemaReader, depth: number, room: number): FlatSchema[] {
  const [union, ...others] = flat.unions;
  if (union === undefined || depth > DEEPEST_UNION) return splitTypes(flat);
  // Its mapping would give the same choices again.
  const { discriminator: _discriminator, ...own } = flat.own;
  const base: Schema = {
    ...own,
    ...(flat.types.length > 0 && { type: [...flat.types] }),
    ...(others.length > 0 && { allOf: others.map((anyOf) => ({ anyOf })) }),
  };
  const most = union.every(isListed) ? union.length : room;
  const found: FlatSchema[] = [];
  for (const branch of union) {
    if (found.length >= most) break;
    const spot: Spot = { schema: { allOf: [base, branch] }, trail: flat.trail };
    const whole = flattenSchema({ ...spot, schema: withLabel(spot, branch, flat.own, reader) }, reader);
    found.push(...expand(keepBoth(whole, flat), reader, depth + 1, most - found.length));
  }
  return found.slice(0, most);
}

/** One of a list of values, which may be long. */
function isListed(schema: Schema): boolean {
  return schema.const !== undefined || schema.enum !== undefined;
}

/** The branch's own words come first: they tell the choices apart. */
function keepBoth(whole: FlatSchema, base: FlatSchema): FlatSchema {
  return whole.types.length === 0 && base.types.length > 0 ? { ...whole, types: base.types } : whole;
}

function withLabel(spot: Spot, branch: Schema, parent: Schema, reader: SchemaReader): Schema {
  const label = labelOf(branch, parent, spot.trail, reader);
  return label === undefined ? spot.schema : { allOf: [...(spot.schema.allOf ?? []), label] };
}

/**
 * What the discriminator of `parent` says of a branch that does not say its value itself: the mapping's value, else the name of its reference
 * (OAS 3.1 4.8.25).
 */
export function labelOf(
  branch: Schema,
  parent: Schema,
  trail: readonly string[],
  reader: SchemaReader,
): Schema | undefined {
  const name = parent.discriminator?.propertyName;
  if (name === undefined || branch.$ref === undefined) return undefined;
  const property = ownProperty(flattenSchema({ schema: branch, trail }, reader).own, name);
  const said = property === undefined ? undefined : flattenSchema({ schema: property, trail: [] }, reader).own;
  if (said?.const !== undefined || said?.enum?.length === 1) return undefined;
  const mapped = mappedValues(parent.discriminator!).get(referenceName(branch.$ref)) ?? [];
  const values = mapped.length > 0 ? mapped : [referenceName(branch.$ref)];
  return { properties: { [name]: { type: "string", enum: values } } };
}

/** The values that a discriminator gives to each choice, by the choice's name; worked out once. */
const mappedValues = onceFor((discriminator: Discriminator): ReadonlyMap<string, readonly string[]> => {
  const byName = new Map<string, string[]>();
  for (const [value, $ref] of Object.entries(discriminator.mapping ?? {})) {
    const name = referenceName($ref);
    byName.set(name, [...(byName.get(name) ?? []), value]);
  }
  return byName;
});

function splitTypes(flat: FlatSchema): FlatSchema[] {
  const { types } = flat;
  if (types.length < 2) return [flat];
  if (types.every((type) => type === "integer" || type === "number")) return [{ ...flat, types: ["number"] }];
  return types.map((type) => ({ ...flat, types: [type] }));
}

function isNullOnly(flat: FlatSchema): boolean {
  return flat.nullable && flat.types.length === 0;
}

/** Two parts of the schema list values, and none is in both. */
function isContradicted({ own: { const: only, enum: values }, nullable }: FlatSchema): boolean {
  if (values === undefined || nullable) return false;
  return values.length === 0 || (only !== undefined && !values.some((value) => isDeepStrictEqual(value, only)));
}

/** `anyOf: [an object, ""]` is how form-encoded APIs say that a value may be unset, and not a second kind of value. */
function withoutEmptyText(variants: readonly FlatSchema[]): readonly FlatSchema[] {
  const isEmptyText = ({ own }: FlatSchema) => own.const === "" || (own.enum?.length === 1 && own.enum[0] === "");
  const others = variants.filter((one) => !isEmptyText(one));
  return others.length > 0 ? others : variants;
}
