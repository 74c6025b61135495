import { compareTexts } from "../../../model/compare-texts.ts";
import { nearestNames } from "../../../model/nearest.ts";
import type { PortableSchema } from "../../../model/schema.ts";
import { membersLost, sameValue } from "./same-value.ts";

/** The properties of two objects, put together by their names, or as one that looks renamed. */
export interface PropertyPairs {
  readonly both: readonly Pair[];
  readonly renamed: readonly (Pair & { readonly old: string })[];
  readonly removed: readonly (readonly [name: string, schema: PortableSchema])[];
  readonly added: readonly (readonly [name: string, schema: PortableSchema])[];
}

interface Pair {
  readonly name: string;
  readonly before: PortableSchema;
  readonly after: PortableSchema;
}

export function pairProperties(before: PortableSchema, after: PortableSchema): PropertyPairs {
  const [old, now] = [new Map(entriesOf(before)), new Map(entriesOf(after))];
  const both = [...old].flatMap(([name, schema]) =>
    now.has(name) ? [{ name, before: schema, after: now.get(name)! }] : [],
  );
  const removed = new Map([...old].filter(([name]) => !now.has(name)));
  const added = new Map([...now].filter(([name]) => !old.has(name)));
  const renamed: (Pair & { readonly old: string })[] = [];
  for (const [was, schema] of removed) {
    const alike = [...added].filter(
      ([name, one]) => sameForm(schema, one) && isRequired(before, was) === isRequired(after, name),
    );
    const name = alikeName(was, schema, alike);
    if (name === undefined) continue;
    renamed.push({ old: was, name, before: schema, after: added.get(name)! });
    removed.delete(was);
    added.delete(name);
  }
  return { both, renamed, removed: [...removed], added: [...added] };
}

export function isRequired({ required = [] }: PortableSchema, name: string): boolean {
  return required.includes(name);
}

/** Names that only one of them requires, and has no property for: lost, and come. */
export function requiredUnnamed(before: PortableSchema, after: PortableSchema): readonly [string[], string[]] {
  const lost = membersLost(before.required, after.required);
  const come = membersLost(after.required, before.required);
  return [
    lost.filter((name) => !Object.hasOwn(before.properties ?? {}, name)),
    come.filter((name) => !Object.hasOwn(after.properties ?? {}, name)),
  ];
}

function entriesOf({ properties = {} }: PortableSchema): [string, PortableSchema][] {
  return Object.entries(properties).toSorted(([a], [b]) => compareTexts(a, b));
}

/** The same words are a surer sign than names that are alike. */
function alikeName(
  was: string,
  { description }: PortableSchema,
  alike: readonly (readonly [string, PortableSchema])[],
): string | undefined {
  const worded = alike.filter(([, one]) => description !== undefined && one.description === description);
  if (worded.length === 1) return worded[0]![0];
  return nearestNames(
    was,
    alike.map(([name]) => name),
    1,
  )[0];
}

function sameForm({ description: _was, ...before }: PortableSchema, after: PortableSchema): boolean {
  const { description: _is, ...rest } = after;
  return sameValue(before, rest);
}
