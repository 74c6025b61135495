import { onceFor } from "../../model/once-for.ts";
import { valueOfField } from "../shape/value-of-field.ts";
import type { Fact } from "../survey/read-fact.ts";
import type { View, ViewSchema } from "../survey/view-schema.ts";
import { singular } from "../word/nouns.ts";
import { keySlots } from "./find-producer.ts";

/** Users of a team, of a project and of all are still users; the history of a conversation is none. */
const thingOf = onceFor(({ resource: { nouns, verb = "get" } }: Fact): string => {
  const things = nouns.filter((noun) => !/^(search|query|lookup|find)$/.test(noun));
  const thing = singular(things.at(-1) ?? nouns.at(-1) ?? "");
  return PLAIN_READS.test(verb) ? thing : `${thing} ${verb}`;
});

const PLAIN_READS = /^(get|list|info|search|find|read|fetch|retrieve|describe|query)$/;

/** A search that takes no words is one more list. */
const kindOf = onceFor(({ kind, slots }: Fact): Fact["kind"] => {
  const takesWords = slots.some(
    ({ name, view }) =>
      view.type === "string" && /^(q|query|search.*|term|text|content|phrase|keywords?|filter|expr.*)$/i.test(name),
  );
  return kind === "search" && !takesWords ? "list" : kind;
});

/** The same for two that are of one kind and about one thing. */
export const thingInKind = onceFor((fact: Fact) => `${kindOf(fact)} ${thingOf(fact)}`);

const numbers = new WeakMap<object, number>();
let numbered = 0;

/** The same for two lists whose rows are described by the same schemas; empty where nothing describes them. */
export const rowsOf = onceFor(({ body }: Fact): string => {
  if (body.kind !== "rows") return "";
  return [...body.row.properties.values()]
    .map((schema) => {
      const number = numbers.get(schema) ?? ++numbered;
      numbers.set(schema, number);
      return number;
    })
    .join();
});

/** What all that may be chosen tells of each kind of thing. */
export interface Kinds {
  /** How many were chosen of a kind beyond half of its share in what promises most. */
  crowdOf(chosen: readonly Fact[]): (kind: string) => number;
  /** Points off a list that needs a key more than another of its kind of thing: it tells a part of it. */
  besideWhole(fact: Fact): number;
  /** How much an object shows beyond the columns of its list: nothing, more of what a row has, or what rows do not have. */
  saysMore(detail: Fact, list: Fact): "nothing" | "columns" | "fields";
  /** How many properties an object has that are worth a column. */
  sizeOf(detail: Fact): number;
}

/** Columns of a row. */
const SHOWN = 10;
/** Properties that rows do not have. */
const MANY = 3;

export function openKinds(usable: readonly Fact[], most: number, viewOf: ViewSchema): Kinds {
  const all = countKinds(usable);
  const freeOf = (kind: string) => Math.floor((((all.get(kind) ?? 0) / usable.length) * most) / 2);
  const fewestKeys = countFewestKeys(usable);
  const toldOf = onceFor(({ body }: Fact): readonly string[] =>
    body.kind === "rows"
      ? []
      : [...body.object.properties].flatMap(([name, schema]) => (valueOfField(name, viewOf(schema)) > 0 ? [name] : [])),
  );
  return {
    crowdOf(chosen) {
      const counts = countKinds(chosen);
      return (kind) => Math.max(0, (counts.get(kind) ?? 0) - freeOf(kind));
    },
    besideWhole(fact) {
      const more = ownersOf(fact) - (fewestKeys.get(thingInKind(fact)) ?? 0);
      return fact.kind === "detail" ? 0 : 2 * Math.min(2, more);
    },
    sizeOf: (detail) => toldOf(detail).length,
    saysMore(detail, { body }) {
      if (detail.body.kind !== "object" || body.kind !== "rows") return "fields";
      const told = toldOf(detail);
      const more = told.filter((name) => !body.row.properties.has(name)).length;
      if (more >= MANY || hasParts(detail.body.object, body.row, viewOf)) return "fields";
      return told.length > SHOWN ? "columns" : "nothing";
    },
  };
}

/** A list of things that only the whole has: the steps of a workflow. */
function hasParts(object: View, row: View, viewOf: ViewSchema): boolean {
  return [...object.properties].some(([name, schema]) => {
    const { items } = row.properties.has(name) ? {} : viewOf(schema);
    return items !== undefined && viewOf(items).properties.size > 0;
  });
}

export const kindsOf = onceFor(({ entry, resource }: Fact): readonly string[] => [
  ...entry.tags.slice(0, 1).map((tag) => `tag ${tag}`),
  // Whose it is says nothing of what it is.
  `noun ${resource.nouns.find((noun) => noun !== "me") ?? ""}`,
]);

function countKinds(facts: readonly Fact[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const kind of facts.flatMap(kindsOf)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/** Things that must be known before; an owner and a name of one thing are one. */
function ownersOf(fact: Fact): number {
  return keySlots(fact).length - fact.resource.keys.filter(({ collection }) => collection.endsWith("{}")).length;
}

function countFewestKeys(usable: readonly Fact[]): ReadonlyMap<string, number> {
  const fewest = new Map<string, number>();
  for (const fact of usable) {
    const name = thingInKind(fact);
    fewest.set(name, Math.min(fewest.get(name) ?? Number.POSITIVE_INFINITY, ownersOf(fact)));
  }
  return fewest;
}
