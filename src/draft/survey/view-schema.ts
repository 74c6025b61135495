import { type Api, isFault } from "../../model/api.ts";
import { onceFor } from "../../model/once-for.ts";
import type { Schema, SchemaType } from "../../model/schema.ts";

/** What a schema says at its root, for a reader who only looks for names and kinds: `allOf` is merged, alternatives are laid over one another. */
export interface View {
  /** Words, format, enum and bounds; of several layers the first that says a thing. */
  readonly schema: Schema;
  readonly type?: SchemaType;
  readonly properties: ReadonlyMap<string, Schema>;
  readonly required: ReadonlySet<string>;
  readonly items?: Schema;
}

export type ViewSchema = (schema: Schema) => View;

/** What a person does not see in a name: nothing is drafted with such a one. */
export const HIDDEN = /\p{C}/u;

const DEEPEST = 8;
/** Of a long list of alternatives the first tell enough. */
const MOST_ALTERNATIVES = 12;

/** Views of the schemas of one API; each is worked out once. A broken reference says nothing. */
export function openViews(api: Api): ViewSchema {
  const viewOnce = onceFor((schema: Schema) => view(schema, api));
  return (schema) => {
    const resolved = api.resolve(schema);
    return isFault(resolved) ? NOTHING : viewOnce(resolved.schema);
  };
}

const NOTHING: View = { schema: {}, properties: new Map(), required: new Set() };
/** Before the first layer. */
const BLANK: Schema = {};

interface Layers {
  schema: Schema;
  readonly properties: Map<string, Schema>;
  readonly required: Set<string>;
}

function view(start: Schema, api: Api): View {
  const layers: Layers = { schema: BLANK, properties: new Map(), required: new Set() };
  collect(start, api, layers, 0, false);
  const { schema, properties, required } = layers;
  const type = typeOf(schema, properties.size > 0);
  const items = type === "array" ? schema.items : undefined;
  return { schema, properties, required, ...(type !== undefined && { type }), ...(items !== undefined && { items }) };
}

function collect(start: Schema, api: Api, layers: Layers, depth: number, isAlternative: boolean): void {
  const resolved = api.resolve(start);
  if (depth > DEEPEST || isFault(resolved)) return;
  const { schema } = resolved;
  if (isAlternative && (schema.type === "null" || schema.not !== undefined)) return;
  layers.schema = layers.schema === BLANK ? schema : { ...schema, ...layers.schema };
  for (const [name, one] of Object.entries(schema.properties ?? {}))
    if (!layers.properties.has(name) && !HIDDEN.test(name)) layers.properties.set(name, one);
    else if (isAlternative && KIND.test(name)) joinValues(name, one, api, layers);
  if (!isAlternative) for (const name of schema.required ?? []) layers.required.add(name);
  for (const part of schema.allOf ?? []) collect(part, api, layers, depth + 1, isAlternative);
  for (const part of alternativesOf(schema).slice(0, MOST_ALTERNATIVES)) collect(part, api, layers, depth + 1, true);
}

/** By what alternatives are told apart. */
const KIND = /^(type|kind|object)$/;

/** A word that each alternative has of its own is one of all of them. */
function joinValues(name: string, other: Schema, api: Api, layers: Layers): void {
  const known = layers.properties.get(name);
  if (known === undefined || known === other) return;
  const [one, two] = [known, other].map((schema) => {
    const resolved = api.resolve(schema);
    return isFault(resolved)
      ? []
      : (resolved.schema.enum ?? [resolved.schema.const].filter((value) => value !== undefined));
  });
  if (one!.length === 0 || two!.length === 0) return;
  layers.properties.set(name, { type: "string", enum: [...new Set([...one!, ...two!])] });
}

/** A list of item schemas without a type is how documents of Slack's kind write alternatives. */
function alternativesOf({ oneOf = [], anyOf = [], prefixItems = [], type }: Schema): readonly Schema[] {
  return [...oneOf, ...anyOf, ...(type === undefined ? prefixItems : [])];
}

function typeOf({ type, items, enum: values, format }: Schema, hasProperties: boolean): SchemaType | undefined {
  const listed = (typeof type === "string" ? [type] : ((type ?? []) as readonly SchemaType[])).filter(
    (one) => one !== "null",
  );
  if (listed[0] !== undefined) return listed[0];
  if (hasProperties) return "object";
  if (items !== undefined) return "array";
  const [value] = values ?? [];
  return typeof value === "string" || format !== undefined ? "string" : undefined;
}

export function isScalar({ type }: View): boolean {
  return type === "string" || type === "integer" || type === "number" || type === "boolean";
}
