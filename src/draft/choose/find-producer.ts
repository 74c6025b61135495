import { onceFor } from "../../model/once-for.ts";
import { pathStep } from "../shape/path-step.ts";
import { isFixed, type Slot } from "../survey/list-slots.ts";
import { groupOf } from "../survey/name-resource.ts";
import type { Fact } from "../survey/read-fact.ts";
import type { ViewSchema } from "../survey/view-schema.ts";
import { foldName, isCalled, singular, thingOfKey } from "../word/nouns.ts";
import { columnName, findIdentity, type Identity } from "./find-identity.ts";
import { isOwn } from "./is-own.ts";

/** The list in whose rows the value of an input is found. */
export interface Source {
  readonly fact: Fact;
  readonly identity: Identity;
}

/** Places that name a thing, which a caller could only guess: keys of the path, and required IDs elsewhere. */
export const keySlots = onceFor(({ slots }: Fact): readonly Slot[] =>
  slots.filter(
    (slot) =>
      slot.in === "path" ||
      (slot.required && (isIdName(slot.name) || (slot.picks === true && slot.view.type === "string"))),
  ),
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
  const ranked = rankLists(facts).filter((one) => one.entry.key !== of.entry.key && !needs(one, slot, of));
  const own = ranked.filter(
    ({ resource }) => key !== undefined && slot.in === "path" && resource.collection === key.collection,
  );
  // `/users/{user}` may also pick from `/search/users`.
  for (const fact of own) {
    const identity = identityIn(fact, slot, viewOf);
    if (identity !== undefined) return { fact, identity };
  }
  const noun = nounOfKey(key?.collection);
  const lists = ranked.filter((one) => !isOfOtherArea(one, of, facts));
  return (
    byName(
      slot,
      noun,
      lists.filter((one) => beside.includes(one)),
      viewOf,
    ) ?? byName(slot, noun, lists, viewOf)
  );
}

/** Threads of `/chatbox/threads/{id}` are not those of `/threads/{id}`: each area has keys of its own. */
function isOfOtherArea({ resource }: Fact, of: Fact, facts: readonly Fact[]): boolean {
  const group = groupOf(resource);
  return group !== undefined && !of.resource.nouns.includes(group) && pickedFrom(facts).has(resource.collection);
}

/** Collections from which some operation picks one. */
const pickedFrom = onceFor(
  (facts: readonly Fact[]) =>
    new Set(facts.flatMap(({ resource }) => resource.keys.map(({ collection }) => collection))),
);

const rankLists = onceFor((facts: readonly Fact[]) =>
  facts
    .filter(({ body }) => body.kind === "rows")
    .toSorted(
      (a, b) =>
        keySlots(a).length - keySlots(b).length ||
        wordsNeeded(a) - wordsNeeded(b) ||
        Number(isOwn(b)) - Number(isOwn(a)) ||
        b.score - a.score,
    ),
);

/** What a caller must write before a list answers: a search is no place to see what there is. */
const wordsNeeded = onceFor(({ slots }: Fact) => slots.filter((slot) => slot.required && !isFixed(slot)).length);

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
  const plain = lists.filter(listsThings);
  const called = firstOf(plain, (fact) =>
    things.some((one) => isCalled(one, fact.resource.thing) || one === rowsName(fact))
      ? identityIn(fact, slot, viewOf)
      : undefined,
  );
  const typed = firstOf(lists, (fact) =>
    things.some((one) => hasType(fact, one, viewOf)) ? identityIn(fact, slot, viewOf) : undefined,
  );
  const owner = firstOf(lists, ({ body }) =>
    body.kind === "rows" ? ownerIn(body.row, thing, isIdName(key), viewOf) : undefined,
  );
  // The users of one event of one place are further away than the members of that place.
  return [called, typed, owner]
    .filter((source) => source !== undefined)
    .toSorted((a, b) => stepsTo(a.fact) - stepsTo(b.fact))[0];
}

/** `conversations.list` lists conversations, and `conversations.replies` something else of them. */
export function listsThings({ resource: { verb = "list" } }: Fact): boolean {
  return /^(list|search|find|query|get|describe)$/.test(verb);
}

/** What rows are called in the answer: conversations may be `channels` there. */
export const rowsName = onceFor(({ body }: Fact): string =>
  body.kind === "rows" ? foldName(singular(body.rows.split(".").at(-1) ?? "")) : "",
);

/** One thing that must be known before is no way. */
function stepsTo(fact: Fact): number {
  return Math.max(1, keySlots(fact).length);
}

function firstOf(lists: readonly Fact[], find: (fact: Fact) => Identity | undefined): Source | undefined {
  for (const fact of lists) {
    const identity = find(fact);
    if (identity !== undefined) return { fact, identity };
  }
  return undefined;
}

/** Whether rows of several kinds, told apart by a word of their own, may be of this one. */
function hasType({ body }: Fact, thing: string, viewOf: ViewSchema): boolean {
  if (body.kind !== "rows") return false;
  const { oneOf = [], anyOf = [] } = body.row.schema;
  return [body.row, ...[...oneOf, ...anyOf].map(viewOf)].some(({ properties }) =>
    ["type", "object", "kind", "resource_type"].some((name) => {
      const property = properties.get(name);
      const { const: only, enum: values = [] } = property === undefined ? {} : viewOf(property).schema;
      return [only, ...values].some((value) => typeof value === "string" && foldName(value) === thing);
    }),
  );
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
