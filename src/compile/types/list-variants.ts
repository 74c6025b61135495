import type { Schema } from "../../model/schema.ts";
import {
  type FlatSchema,
  flattenSchema,
  isNever,
  ownProperty,
  type SchemaReader,
  type Spot,
} from "./flatten-schema.ts";

const MOST_VARIANTS = 64;
const DEEPEST_UNION = 8;

export interface Variants {
  /** Each without unions and of at most one type. */
  readonly variants: readonly FlatSchema[];
  readonly nullable: boolean;
}

/** The choices that a schema leaves at its root: one where it leaves none. What null alone fits is told by `nullable`. */
export function listVariants(flat: FlatSchema, reader: SchemaReader): Variants {
  const found = expand(flat, reader, 0).slice(0, MOST_VARIANTS);
  const nullable = flat.nullable || found.some((one) => one.nullable);
  const withValues = found.filter((one) => !isNullOnly(one) && !isNever(one.own));
  return { variants: withoutEmptyText(withValues), nullable };
}

function expand(flat: FlatSchema, reader: SchemaReader, depth: number): FlatSchema[] {
  const [union, ...others] = flat.unions;
  if (union === undefined || depth > DEEPEST_UNION) return splitTypes(flat);
  // Its mapping would give the same choices again.
  const { discriminator: _discriminator, ...own } = flat.own;
  const base: Schema = {
    ...own,
    ...(flat.types.length > 0 && { type: [...flat.types] }),
    ...(others.length > 0 && { allOf: others.map((anyOf) => ({ anyOf })) }),
  };
  return union.slice(0, MOST_VARIANTS).flatMap((branch) => {
    const spot: Spot = { schema: { allOf: [base, branch] }, trail: flat.trail };
    const whole = flattenSchema({ ...spot, schema: withLabel(spot, branch, flat.own, reader) }, reader);
    return expand(keepBoth(whole, flat), reader, depth + 1);
  });
}

/** The branch's own words come first: they tell the choices apart. */
function keepBoth(whole: FlatSchema, base: FlatSchema): FlatSchema {
  return whole.types.length === 0 && base.types.length > 0 ? { ...whole, types: base.types } : whole;
}

/** A branch whose discriminator does not say its value itself is given the mapping's, else the name of its reference (OAS 3.1 4.8.25). */
function withLabel(spot: Spot, branch: Schema, parent: Schema, reader: SchemaReader): Schema {
  const name = parent.discriminator?.propertyName;
  if (name === undefined || branch.$ref === undefined) return spot.schema;
  const property = ownProperty(flattenSchema({ schema: branch, trail: spot.trail }, reader).own, name);
  const said = property === undefined ? undefined : flattenSchema({ schema: property, trail: [] }, reader).own;
  if (said?.const !== undefined || said?.enum?.length === 1) return spot.schema;
  const mapped = Object.entries(parent.discriminator?.mapping ?? {}).flatMap(([value, $ref]) =>
    lastPart($ref) === lastPart(branch.$ref!) ? value : [],
  );
  const values = mapped.length > 0 ? mapped : [lastPart(branch.$ref)];
  return { allOf: [...(spot.schema.allOf ?? []), { properties: { [name]: { type: "string", enum: values } } }] };
}

function lastPart(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1);
}

function splitTypes(flat: FlatSchema): FlatSchema[] {
  const { types } = flat;
  if (types.length < 2) return [flat];
  if (types.every((type) => type === "integer" || type === "number")) return [{ ...flat, types: ["number"] }];
  return types.map((type) => ({ ...flat, types: [type] }));
}

function isNullOnly(flat: FlatSchema): boolean {
  return flat.nullable && flat.types.length === 0;
}

/** `anyOf: [an object, ""]` is how form-encoded APIs say that a value may be unset, and not a second kind of value. */
function withoutEmptyText(variants: readonly FlatSchema[]): readonly FlatSchema[] {
  const isEmptyText = ({ own }: FlatSchema) => own.const === "" || (own.enum?.length === 1 && own.enum[0] === "");
  const others = variants.filter((one) => !isEmptyText(one));
  return others.length > 0 ? others : variants;
}
