import type { Schema } from "../../model/schema.ts";

/** What asks for more than the type of a value says by itself. */
const ASKING = [
  "allOf",
  "anyOf",
  "not",
  "if",
  "properties",
  "items",
  "additionalProperties",
  "minProperties",
  "maxProperties",
];

/**
 * What a residual schema asks beside null being taken, which is told by itself (`ManifestInput.takes`); undefined where that is nothing. Only of the
 * value itself: what is inside of it may have no type of its own.
 */
export function checksBesideNull(residual: Schema): Schema | undefined {
  const { allOf, type, enum: values, ...rest } = residual;
  const types = [type ?? []].flat().filter((one) => one !== "null");
  const asked = (allOf ?? []).flatMap(withoutNull);
  const left: Schema = {
    ...rest,
    ...(types.length > 0 && { type: types.length === 1 ? types[0]! : types }),
    ...(values !== undefined && { enum: values.filter((one) => one !== null) }),
    ...(asked.length > 0 && { allOf: asked }),
  };
  return types.length > 1 || isAsking(left) ? left : undefined;
}

/** A choice between one thing and null is no choice. */
function withoutNull(asked: Schema): readonly Schema[] {
  if (asked.anyOf === undefined || Object.keys(asked).length > 1) return [asked];
  const choices = asked.anyOf.filter(({ type }) => type !== "null");
  const [only, other] = choices;
  return only !== undefined && other === undefined && !isAsking(only) ? [] : [{ anyOf: choices }];
}

function isAsking(schema: Schema): boolean {
  return Object.keys(schema).some((key) => ASKING.includes(key));
}
