import type { PortableSchema } from "../schema.ts";

/** Two schemas that cannot be one. */
export interface SchemaClash {
  /** Names by dots; empty for the whole. */
  readonly path: string;
  readonly types: readonly [string, string];
}

/**
 * What is fine for either of two schemas: the union of their enums and properties, the wider of their bounds, and of `required` only what both ask
 * for. Whatever else they do not share is left out. Of two types that are not the same the first is kept, and `clash` is told.
 */
export function mergeSchemas(
  one: PortableSchema,
  other: PortableSchema,
  clash: (found: SchemaClash) => void = () => {},
  path = "",
): PortableSchema {
  if (JSON.stringify(one) === JSON.stringify(other)) return one;
  const [type, otherType] = [one.type, other.type];
  if (type !== undefined && otherType !== undefined && type !== otherType) {
    clash({ path, types: [type, otherType] });
    return one;
  }
  const description = one.description ?? other.description;
  const values = one.enum && other.enum && [...new Set([...one.enum, ...other.enum])];
  const properties = mergeProperties(one, other, clash, path);
  const required = one.required?.filter((name) => other.required?.includes(name));
  const items =
    one.items && other.items
      ? mergeSchemas(one.items, other.items, clash, path === "" ? "[]" : `${path}[]`)
      : (one.items ?? other.items);
  return {
    ...(type !== undefined && otherType !== undefined && { type }),
    ...(description !== undefined && { description }),
    ...(properties !== undefined && { properties }),
    ...(required !== undefined && required.length > 0 && { required }),
    ...(items !== undefined && { items }),
    ...(values !== undefined && { enum: values }),
    ...widest(one, other),
    ...(one.pattern !== undefined && one.pattern === other.pattern && { pattern: one.pattern }),
    ...(one.default !== undefined &&
      JSON.stringify(one.default) === JSON.stringify(other.default) && { default: one.default }),
    ...(one.format !== undefined && one.format === other.format && { format: one.format }),
  };
}

function mergeProperties(
  one: PortableSchema,
  other: PortableSchema,
  clash: (found: SchemaClash) => void,
  path: string,
): PortableSchema["properties"] {
  if (one.properties === undefined && other.properties === undefined) return undefined;
  const merged = new Map(Object.entries(one.properties ?? {}));
  for (const [name, schema] of Object.entries(other.properties ?? {})) {
    const known = merged.get(name);
    merged.set(
      name,
      known === undefined ? schema : mergeSchemas(known, schema, clash, path === "" ? name : `${path}.${name}`),
    );
  }
  return Object.fromEntries(merged);
}

const LEAST = ["minimum", "minItems", "minLength"] as const;
const MOST = ["maximum", "maxItems", "maxLength"] as const;

function widest(one: PortableSchema, other: PortableSchema): PortableSchema {
  const bound = (key: (typeof LEAST | typeof MOST)[number], choose: (...values: number[]) => number) => {
    const [a, b] = [one[key], other[key]];
    return a === undefined || b === undefined ? [] : [[key, choose(a, b)] as const];
  };
  return Object.fromEntries([
    ...LEAST.flatMap((key) => bound(key, Math.min)),
    ...MOST.flatMap((key) => bound(key, Math.max)),
  ]);
}
