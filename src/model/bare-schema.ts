import type { Json } from "./json.ts";
import type { Schema } from "./schema.ts";

const SAID: ReadonlySet<string> = new Set(["title", "description", "examples", "example", "deprecated", "default"]);
const NAMED: ReadonlySet<string> = new Set(["properties", "patternProperties"]);
/** Their values are data, not schemas. */
const DATA: ReadonlySet<string> = new Set(["enum", "const"]);

/** A schema of the spec without what is only said in it. */
export function bareSchema(schema: Schema): Json {
  return bare(schema as Json);
}

function bare(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(bare);
  if (typeof schema !== "object" || schema === null) return schema;
  const entries = Object.entries(schema).filter(([key]) => !SAID.has(key) && !key.startsWith("x-"));
  return Object.fromEntries(
    entries.map(([key, value]) => {
      if (DATA.has(key)) return [key, value];
      if (!NAMED.has(key) || typeof value !== "object" || value === null) return [key, bare(value)];
      return [key, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, bare(one)]))];
    }),
  );
}
