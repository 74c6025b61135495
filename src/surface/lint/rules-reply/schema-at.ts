import { type Api, isFault } from "../../../model/api.ts";
import { ownValue } from "../../../model/json.ts";
import type { Schema } from "../../../model/schema.ts";

const DEEPEST = 8;

/** What the spec says of the value at these names; undefined where it says nothing, or several things. `*` is the item of a list. */
export function schemaAt(schema: Schema, names: readonly string[], api: Api): Schema | undefined {
  const [name, ...rest] = names;
  const resolved = resolve(schema, api);
  if (resolved === undefined || name === undefined) return resolved;
  const below = childOf(resolved, name, api, DEEPEST);
  return below && schemaAt(below, rest, api);
}

function childOf(schema: Schema, name: string, api: Api, depth: number): Schema | undefined {
  const own = name === "*" ? schema.items : ownValue(schema.properties ?? {}, name);
  if (own !== undefined || depth === 0) return own;
  const parts = [...(schema.allOf ?? []), ...onlyOne(schema.anyOf), ...onlyOne(schema.oneOf)];
  for (const part of parts) {
    const resolved = resolve(part, api);
    const found = resolved && childOf(resolved, name, api, depth - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Beside null, one alternative is no choice. */
function onlyOne(alternatives: readonly Schema[] = []): readonly Schema[] {
  const real = alternatives.filter(({ type }) => type !== "null");
  return real.length === 1 ? real : [];
}

function resolve(schema: Schema, api: Api): Schema | undefined {
  const resolved = api.resolve(schema);
  return isFault(resolved) ? undefined : resolved.schema;
}
