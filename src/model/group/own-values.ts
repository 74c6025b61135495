import type { PortableSchema } from "../schema.ts";

const MOST_VALUES = 30;

/**
 * What one action takes where the union in the merged schema does not tell it: `One of open, closed.`, and of what stands inside `field: a, b.` Empty
 * where all actions take the same.
 */
export function ownValues(schema: PortableSchema, all: readonly PortableSchema[]): string[] {
  const every = all.map(enumsOf);
  const told = new Set<string>();
  return [...enumsOf(schema)].flatMap(([path, values]) => {
    if (every.every((one) => sameValues(one.get(path), values))) return [];
    const list = `${values.slice(0, MOST_VALUES).join(", ")}${values.length > MOST_VALUES ? ", …" : ""}`;
    const name = path.split(".").at(-1)?.replaceAll("[]", "") ?? "";
    const words = name === "" ? `One of ${list}.` : `${name}: ${list}.`;
    // Groups of conditions hold the same again at every depth.
    if (told.has(words)) return [];
    told.add(words);
    return [words];
  });
}

/** By the way from the input to the value, names with dots between them. */
function enumsOf(schema: PortableSchema): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  const walk = ({ enum: values, items, properties = {} }: PortableSchema, path: string): void => {
    if (values !== undefined) found.set(path, values);
    if (items !== undefined) walk(items, `${path}[]`);
    for (const [name, inside] of Object.entries(properties)) walk(inside, `${path}.${name}`);
  };
  walk(schema, "");
  return found;
}

function sameValues(one: readonly string[] | undefined, other: readonly string[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
