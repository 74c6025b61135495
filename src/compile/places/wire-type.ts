import type { WireType } from "../../model/call.ts";
import type { Json } from "../../model/json.ts";
import { nearestNames } from "../../model/nearest.ts";
import { hintFor } from "../open-report.ts";
import { type FlatSchema, flattenSchema, kindOf, type SchemaReader } from "../types/flatten-schema.ts";
import { isBinary } from "../types/is-binary.ts";
import { isNever } from "../types/is-never.ts";
import { listVariants } from "../types/list-variants.ts";
import { enumText } from "../types/read-enum.ts";
import type { Site } from "./find-place.ts";

export interface WirePlace {
  readonly type: WireType;
  readonly nullable: boolean;
}

/** What may be sent to a place; `any` where the spec leaves it open or gives a choice. */
export function wirePlace(site: Site, reader: SchemaReader): WirePlace {
  if (site.spot === undefined) return { type: "any", nullable: true };
  const { variants, nullable: stated, empty } = listVariants(flattenSchema(site.spot, reader), reader);
  const nullable = stated || (site.place.in === "body" && variants.some(isOpen));
  const kinds = new Set(variants.map(({ types: [type] }) => type));
  const [only] = kinds;
  // A file may come as an object, and an empty text beside values of any kind.
  if ((empty && only !== "string") || variants.some(({ own }) => isBinary(own))) return { type: "any", nullable };
  if (kinds.size === 1 && only !== undefined) return { type: only, nullable };
  const numeric = kinds.size === 2 && kinds.has("integer") && kinds.has("number");
  return { type: numeric ? "number" : "any", nullable };
}

/** A schema that says nothing of the kind of value takes null as well (JSON Schema core 4.3.2). */
function isOpen({ own, types }: FlatSchema): boolean {
  return types.length === 0 && own.enum === undefined && own.const === undefined && !isNever(own);
}

/** Why a literal cannot be what the spec wants at a place; undefined where it can, as far as its root tells. */
export function refuseLiteral(
  value: Json,
  site: Site,
  reader: SchemaReader,
): { message: string; hint?: string } | undefined {
  if (site.spot === undefined || value === null) return undefined;
  const { variants, empty } = listVariants(flattenSchema(site.spot, reader), reader);
  if (variants.length === 0 || (empty && value === "") || variants.some((variant) => takes(variant, value)))
    return undefined;
  const kinds = [...new Set(variants.flatMap(({ types }) => types))].join(" or ");
  const allowed = variants.flatMap(({ own }) => own.enum ?? []).map(enumText);
  const shown = JSON.stringify(value).slice(0, 60);
  const ofKind = variants.some(({ types: [type] }) => type === undefined || isOfKind(value, type));
  if (ofKind && allowed.length > 0) {
    const hint = hintFor(nearestNames(enumText(value), allowed), allowed);
    return {
      message: `${shown} is none of the values that the spec allows here.`,
      ...(hint !== undefined && { hint }),
    };
  }
  const hint = `Write a value that is ${/^[aeiou]/.test(kinds) ? "an" : "a"} ${kinds}; or \`unchecked: true\` where the spec is wrong.`;
  return { message: `${shown} is no ${kinds}, which the spec wants here.`, hint };
}

function takes({ own, types: [type] }: FlatSchema, value: Json): boolean {
  if (type !== undefined && !isOfKind(value, type)) return false;
  const values = own.const === undefined ? own.enum : [own.const];
  return values === undefined || values.some((one) => JSON.stringify(one) === JSON.stringify(value));
}

function isOfKind(value: Json, type: NonNullable<ReturnType<typeof kindOf>>): boolean {
  const kind = kindOf(value);
  return kind === type || (kind === "integer" && type === "number");
}
