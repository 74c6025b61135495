import { type Api, isFault } from "../../../model/api.ts";
import type { Schema } from "../../../model/schema.ts";

/** Schemas that are looked at; some have no names and no end. */
const MOST_SCHEMAS = 1_000;

/** How many names a value of this schema can hold at all depths; counting ends at `most`, and where a schema is met again. */
export function countNames(schema: Schema, api: Api, most: number): number {
  const seen = new Set<Schema>();
  const open = [schema];
  let names = 0;
  for (let looked = 0; looked < MOST_SCHEMAS && names < most; looked += 1) {
    const next = open.shift();
    if (next === undefined) break;
    const resolved = api.resolve(next);
    if (isFault(resolved) || seen.has(resolved.schema)) continue;
    seen.add(resolved.schema);
    const { properties = {}, items, allOf = [], anyOf = [], oneOf = [] } = resolved.schema;
    names += Object.keys(properties).length;
    open.push(...Object.values(properties), ...(items === undefined ? [] : [items]), ...allOf, ...anyOf, ...oneOf);
  }
  return Math.min(names, most);
}
