import type { PortableSchema } from "./schema.ts";

/**
 * What the spec says of a reply's value and of what is in it, as deep as the output schema has names; empty where it says nothing. It is there for
 * comparing: an upstream need not keep it, so nothing that runs reads it.
 */
export interface Said {
  /** Types of JSON, sorted and joined by `|`; `null` is told by `nullable`. */
  readonly type?: string;
  readonly nullable?: true;
  /** Of a property: it need not be there. */
  readonly optional?: true;
  readonly format?: string;
  /** Sorted; what is no text as JSON. */
  readonly enum?: readonly string[];
  /** In place of `enum` where there are many: how many, and a digest of them. */
  readonly enumDigest?: string;
  readonly properties?: Readonly<Record<string, Said>>;
  readonly items?: Said;
  /** A digest of what the spec says inside of it and is not told here: what is deeper, or beyond so many names. */
  readonly below?: string;
}

/** The names alone, as an output schema has them. */
export function namesSaid({ properties = {}, items }: Said): PortableSchema {
  const inside = Object.entries(properties).map(([name, one]) => [name, namesSaid(one)] as const);
  const item = items === undefined ? {} : namesSaid(items);
  return {
    ...(inside.length > 0 && { properties: Object.fromEntries(inside) }),
    ...(Object.keys(item).length > 0 && { items: item }),
  };
}
