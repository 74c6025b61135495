import type { ResolvedSchema, SpecFault } from "../model/api.ts";
import { isFault } from "../model/api.ts";
import { onceFor } from "../model/once-for.ts";
import type { Schema } from "../model/schema.ts";
import { BrokenSpec, faultOf } from "./broken-spec.ts";
import type { SchemaLift } from "./lift-schema.ts";
import type { SpecDocument } from "./read-document.ts";
import { lookUp } from "./resolve-ref.ts";

export type ResolveSchema = (schema: Schema) => ResolvedSchema | SpecFault;

/** Makes `Api.resolve` for one spec; what a schema resolves to is worked out once. */
export function createResolver(document: SpecDocument, schemas: SchemaLift): ResolveSchema {
  const byReference = new Map<string, ResolvedSchema>();
  const followOnce = onceFor((schema: Schema) => {
    const { $ref = "" } = schema;
    // A lifted reference means the same wherever it stands; what is laid over its target does not, nor does the place of a fault.
    const isBare = Object.keys(schema).length === 1;
    const known = isBare ? byReference.get($ref) : undefined;
    if (known !== undefined) return known;
    const resolved = faultOf(() => follow(document, schemas, schema));
    if (isBare && !isFault(resolved)) byReference.set($ref, resolved);
    return resolved;
  });
  return (schema) => (schema.$ref === undefined ? { schema, through: [] } : followOnce(schema));
}

/** As `resolve`, for readers that cannot go on without the schema. Throws BrokenSpec. */
export function mustResolve(resolve: ResolveSchema, schema: Schema): ResolvedSchema {
  const result = resolve(schema);
  if (isFault(result)) throw new BrokenSpec(result.fault, result.pointer);
  return result;
}

function follow(document: SpecDocument, schemas: SchemaLift, start: Schema): ResolvedSchema {
  const place = schemas.placeOf(start);
  const through = new Set<string>();
  const layers: Schema[] = [];
  let schema = start;
  while (schema.$ref !== undefined) {
    const { $ref, ...siblings } = schema;
    // Lifted references are relative to the root, wherever they stand.
    const target = lookUp(document, $ref, schemas.placeOf(schema) ?? place ?? $ref, "");
    if (through.has(target.pointer))
      throw new BrokenSpec(`$ref ${JSON.stringify($ref)} only leads back to itself.`, place ?? $ref);
    through.add(target.pointer);
    layers.unshift(siblings);
    schema = schemas.lift(target.value, target.pointer);
  }
  return { schema: layers.reduce(layOver, schema), through: [...through] };
}

const WORDS: ReadonlySet<string> = new Set([
  "title",
  "description",
  "default",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
]);

/** 2020-12 8.2.3.1: siblings hold beside the target. Words about it are replaced; a rule that both state is kept twice, in `allOf`. */
function layOver(target: Schema, siblings: Schema): Schema {
  const names = Object.keys(siblings);
  if (names.length === 0) return target;
  if (!names.some((name) => !WORDS.has(name) && Object.hasOwn(target, name))) return { ...target, ...siblings };
  const entries = Object.entries(siblings);
  const words = Object.fromEntries(entries.filter(([name]) => WORDS.has(name)));
  const rules = Object.fromEntries(entries.filter(([name]) => !WORDS.has(name)));
  const { discriminator } = target;
  return { ...words, allOf: [target, rules], ...(discriminator !== undefined && { discriminator }) };
}
