import { isJsonObject } from "../model/json.ts";
import type { Discriminator } from "../model/schema.ts";
import type { SpecDocument } from "./read-document.ts";
import { textOf } from "./read-field.ts";
import { canonicalRef, lookUp } from "./resolve-ref.ts";

type SubtypesOf = (pointer: string) => readonly string[];

/** What the schema at `pointer` says of its subtypes, with references that mean the same anywhere in the spec. */
export function liftDiscriminator(
  written: Discriminator,
  pointer: string,
  document: SpecDocument,
  subtypesOf: SubtypesOf,
): Discriminator {
  const { propertyName, mapping = ownValues(pointer, document, subtypesOf), defaultMapping } = written;
  if (mapping === undefined && defaultMapping === undefined) return written;
  const canonical = (ref: string) => canonicalRef(document, ref, pointer);
  return {
    propertyName,
    ...(mapping !== undefined && {
      mapping: Object.fromEntries(Object.entries(mapping).map(([name, ref]) => [name, canonical(ref)])),
    }),
    ...(defaultMapping !== undefined && { defaultMapping: canonical(defaultMapping) }),
  };
}

/** Azure's way to say the value on the subtype, where Swagger 2.0 has no mapping (AutoRest, x-ms-discriminator-value). */
function ownValues(pointer: string, document: SpecDocument, subtypesOf: SubtypesOf): Discriminator["mapping"] {
  const mapping = new Map<string, string>();
  const all = new Set(subtypesOf(pointer));
  for (const name of all) {
    const { value } = lookUp(document, name, pointer);
    const own = isJsonObject(value) ? textOf(value, "x-ms-discriminator-value") : undefined;
    if (own !== undefined) mapping.set(own, name);
    for (const further of subtypesOf(name)) all.add(further);
  }
  return mapping.size === 0 ? undefined : Object.fromEntries(mapping);
}
