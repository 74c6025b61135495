import { isDeepStrictEqual } from "node:util";
import type { Schema } from "../../model/schema.ts";
import { type FlatSchema, flattenSchema, ownProperty, type SchemaReader, type Spot } from "./flatten-schema.ts";
import { isNever } from "./is-never.ts";
import { listVariants } from "./list-variants.ts";

export type Descent =
  /** `required` has one entry a step: whether the value that holds the step needs it. */
  | { readonly kind: "found"; readonly spot: Spot; readonly required: readonly boolean[] }
  /** The spec leaves open what stands there. */
  | { readonly kind: "open"; readonly required: readonly boolean[] }
  /** The spec names what may stand there, and `at` (a position in the pointer) is not among it. */
  | { readonly kind: "miss"; readonly at: number; readonly names: readonly string[] };

/** Follows a pointer through references, `allOf` and the choices of a union. */
export function descendSchema(from: Spot, pointer: readonly string[], reader: SchemaReader): Descent {
  let spot = from;
  const required: boolean[] = [];
  for (const [at, part] of pointer.entries()) {
    const step = takeStep(spot, part, reader);
    if (step.kind === "miss") return { kind: "miss", at, names: step.names };
    required.push(step.required);
    if (step.kind === "open")
      return { kind: "open", required: [...required, ...pointer.slice(at + 1).map(() => false)] };
    spot = step.spot;
  }
  return { kind: "found", spot, required };
}

type Step =
  | { readonly kind: "found"; readonly spot: Spot; readonly required: boolean }
  | { readonly kind: "open"; readonly required: false }
  | { readonly kind: "miss"; readonly names: readonly string[] };

function takeStep(spot: Spot, part: string, reader: SchemaReader): Step {
  const { variants } = listVariants(flattenSchema(spot, reader), reader);
  const hits = variants.flatMap((variant) => {
    const schema = partOf(variant, part);
    return schema === undefined ? [] : [{ variant, schema }];
  });
  if (hits.length === 0) {
    if (variants.length === 0 || variants.some(isOpen)) return { kind: "open", required: false };
    return { kind: "miss", names: [...new Set(variants.flatMap(({ own }) => Object.keys(own.properties ?? {})))] };
  }
  const distinct: Schema[] = [];
  for (const { schema } of hits) if (!distinct.some((one) => isDeepStrictEqual(one, schema))) distinct.push(schema);
  return {
    kind: "found",
    spot: { schema: distinct.length === 1 ? distinct[0]! : { anyOf: distinct }, trail: hits[0]!.variant.trail },
    required: hits.length === variants.length && hits.every(({ variant }) => variant.own.required?.includes(part)),
  };
}

function partOf({ own, types }: FlatSchema, part: string): Schema | undefined {
  if (types[0] === "array") return /^\d+$/.test(part) ? (own.prefixItems?.[Number(part)] ?? own.items) : undefined;
  if (types[0] !== "object") return undefined;
  const declared = ownProperty(own, part);
  if (declared !== undefined) return declared;
  const further = own.additionalProperties;
  return further !== undefined && Object.keys(further).length > 0 && !isNever(further) ? further : undefined;
}

/** Nothing is said of the properties that it may have, or others than those that are named may stand beside them. */
function isOpen({ own, types }: FlatSchema): boolean {
  if (types[0] === undefined) return !isNever(own);
  if (types[0] !== "object") return false;
  if (own.patternProperties !== undefined) return true;
  if (own.additionalProperties !== undefined) return !isNever(own.additionalProperties);
  return Object.keys(own.properties ?? {}).length === 0;
}
