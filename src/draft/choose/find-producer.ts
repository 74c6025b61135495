import { pathStep } from "../shape/path-step.ts";
import { isFixed, type Slot } from "../survey/list-slots.ts";
import type { Fact } from "../survey/read-fact.ts";
import type { ViewSchema } from "../survey/view-schema.ts";
import { foldName, isCalled, singular, thingOfKey } from "../word/nouns.ts";
import { columnName, findIdentity, type Identity } from "./find-identity.ts";
import { perFact } from "./per-fact.ts";

/** The list in whose rows the value of an input is found. */
export interface Source {
  readonly fact: Fact;
  readonly identity: Identity;
}

/** Places that name a thing, which a caller could only guess: keys of the path, and required IDs elsewhere. */
export const keySlots = perFact(({ slots }): readonly Slot[] =>
  slots.filter((slot) => slot.in === "path" || (slot.required && isIdName(slot.name))),
);

export function isIdName(name: string): boolean {
  return /(^|[_-])(id|gid|sid|uuid|guid)s?$|[a-z](Id|ID|Gid|Sid|Uuid|UUID)s?$/.test(name);
}

/**
 * The list whose rows hold the value of a key: the collection that the key picks from, else one that is called as the key is, the one with the
 * fewest keys of its own first, then the one that needs the least. Never one that cannot be called without the value. `beside` are the lists that give other keys of the same operation.
 */
export function findProducer(
  slot: Slot,
  of: Fact,
  facts: readonly Fact[],
  viewOf: ViewSchema,
  beside: readonly Fact[] = [],
): Source | undefined {
  const key = of.resource.keys.find(({ name }) => name === slot.name);
  const lists = facts.filter(
    (one) => one.body.kind === "rows" && one.entry.key !== of.entry.key && !needs(one, slot, of),
  );
  const ranked = lists.toSorted(
    (a, b) => keySlots(a).length - keySlots(b).length || wordsNeeded(a) - wordsNeeded(b) || b.score - a.score,
  );
  const own = ranked.filter(
    ({ resource }) => key !== undefined && slot.in === "path" && resource.collection === key.collection,
  );
  // `/users/{user}` may also pick from `/search/users`.
  for (const fact of own) {
    const identity = identityIn(fact, slot, viewOf);
    if (identity !== undefined) return { fact, identity };
  }
  const noun = nounOfKey(key?.collection);
  return (
    byName(
      slot,
      noun,
      ranked.filter((one) => beside.includes(one)),
      viewOf,
    ) ?? byName(slot, noun, ranked, viewOf)
  );
}

/** What a caller must write before a list answers: a search is no place to see what there is. */
const wordsNeeded = perFact(({ slots }) => slots.filter((slot) => slot.required && !isFixed(slot)).length);

function identityIn({ body, resource }: Fact, { name, view }: Slot, viewOf: ViewSchema): Identity | undefined {
  const isText = view.type === "string";
  return body.kind === "rows" ? findIdentity(body.row, name, isText, resource.nouns.at(-1) ?? "", viewOf) : undefined;
}

/** Whether a list asks for the same value itself. */
function needs(list: Fact, slot: Slot, of: Fact): boolean {
  const collectionIn = ({ resource }: Fact) => resource.keys.find(({ name }) => name === slot.name)?.collection;
  return keySlots(list).some(({ name }) => name === slot.name && collectionIn(list) === collectionIn(of));
}

function nounOfKey(collection = ""): string {
  return (
    collection
      .split("/")
      .filter((part) => part !== "{}")
      .at(-1) ?? ""
  );
}

/** `repo` of a list of repositories, `owner` of rows that have one, `workspace_gid` of a list of workspaces. */
function byName(slot: Slot, noun: string, lists: readonly Fact[], viewOf: ViewSchema): Source | undefined {
  const key = slot.name;
  const thing = thingOfKey(key);
  const things = [thing, ...(thing.length < 2 && noun !== "" ? [foldName(singular(noun))] : [])].filter(
    (one) => one.length > 2,
  );
  for (const fact of lists) {
    const noun = fact.resource.nouns.at(-1) ?? "";
    if (!things.some((one) => isCalled(one, noun))) continue;
    const identity = identityIn(fact, slot, viewOf);
    if (identity !== undefined) return { fact, identity };
  }
  for (const fact of lists) {
    const identity = fact.body.kind === "rows" ? ownerIn(fact.body.row, thing, isIdName(key), viewOf) : undefined;
    if (identity !== undefined) return { fact, identity };
  }
  return undefined;
}

/** A thing beside others in a row: `owner.login`. */
function ownerIn(
  row: Extract<Fact["body"], { kind: "rows" }>["row"],
  thing: string,
  byId: boolean,
  viewOf: ViewSchema,
): Identity | undefined {
  if (thing.length < 4) return undefined;
  for (const [name, schema] of row.properties) {
    if (foldName(name) !== thing) continue;
    const view = viewOf(schema);
    const inner = (byId ? ["id", "gid", "uuid"] : ["login", "username", "slug", "key", "name", "id"]).find((one) =>
      view.properties.has(one),
    );
    if (inner !== undefined) return { column: columnName(name), path: `${pathStep(name)}.${inner}` };
  }
  return undefined;
}
