import type { SchemeUse } from "../../model/api.ts";
import { onceFor } from "../../model/once-for.ts";
import { CREDENTIAL_NAME } from "../../model/says-credential.ts";
import { isFixed } from "../survey/list-slots.ts";
import type { Fact } from "../survey/read-fact.ts";
import { foldName, singular } from "../word/nouns.ts";
import { isIdName } from "./find-producer.ts";
import { isOwn } from "./is-own.ts";
import { isSameThing, nounOf } from "./like-facts.ts";

/**
 * Points beyond those of the index, by what was read: a thing whose IDs stand in many other answers and inputs is at the centre, what can be asked for
 * a time tells what happened, and what needs a credential or a right that the rest does not is for few.
 */
export function weighFacts(facts: readonly Fact[]): (fact: Fact) => number {
  const references = countReferences(facts);
  const nearest = countOwners(facts);
  const owned = facts.filter((fact) => isOwn(fact) && fact.kind === "list");
  const usual = usualScheme(facts);
  return onceFor(
    (fact: Fact) =>
      // Users of an event of a place are not what a user's ID is looked up in.
      Math.min(5, 1.5 * Math.log2(1 + (references.get(nounOf(fact)) ?? 0))) /
        (1 + ownersOf(fact) - (nearest.get(nounOf(fact)) ?? 0)) +
      askableOf(fact) -
      1.5 * unknownsOf(fact) -
      (isOfAll(fact, owned) ? 6 : 0) -
      (needsOther(fact, usual) ? 8 : 0) -
      warningsOf(fact),
  );
}

/** All of a kind in the world, where there is a list of the caller's own. */
function isOfAll(fact: Fact, owned: readonly Fact[]): boolean {
  if (fact.kind !== "list" || isOwn(fact) || fact.resource.keys.length > 0) return false;
  return owned.some((one) => isSameThing(one, fact));
}

/** Things that stand above it in the path; an owner and a name of one thing are one. */
export const ownersOf = onceFor(({ resource: { keys, collection } }: Fact): number => {
  const owners = keys.filter((key) => key.collection !== collection && !key.collection.endsWith("{}"));
  return owners.length;
});

function countOwners(facts: readonly Fact[]): ReadonlyMap<string, number> {
  const fewest = new Map<string, number>();
  for (const fact of facts)
    fewest.set(nounOf(fact), Math.min(fewest.get(nounOf(fact)) ?? Number.POSITIVE_INFINITY, ownersOf(fact)));
  return fewest;
}

/** In how many other kinds of things each is named, in an answer or as an input; a path's own keys say where it stands, and are no reference. */
function countReferences(facts: readonly Fact[]): ReadonlyMap<string, number> {
  const things = new Set(facts.map(nounOf).filter((thing) => thing.length > 2));
  const from = new Map<string, Set<string>>();
  for (const fact of facts) {
    const { slots, body } = fact;
    const own = nounOf(fact);
    const properties = body.kind === "rows" ? body.row.properties : body.object.properties;
    const names = [...slots.filter((slot) => slot.in !== "path").map(({ name }) => name), ...properties.keys()];
    for (const thing of new Set(names.map(namedThing)))
      if (thing !== own && things.has(thing)) from.set(thing, (from.get(thing) ?? new Set()).add(own));
  }
  return new Map([...from].map(([thing, others]) => [thing, others.size]));
}

/** `customer`, `customer_id` and `customerIds` name a customer. */
function namedThing(name: string): string {
  const plain = foldName(name);
  const bare = plain.replace(/(id|gid|sid|uuid|guid|token|key|number|ur[il]|link)s?$/, "");
  return singular(bare.length > 2 ? bare : plain);
}

const TIME =
  /^(since|until|oldest|latest|(start|end|from|to|min|max)_?(date|time|timestamp|at|on)|(date|time|created|updated|occurred|published|modified|happened)_?(at|time|date)?_?(from|to|since|until|after|before|min|max|gte?|lte?|start|end)?|time(frame|range|period)|interval|granularity)$/i;
const WORDS = /^(q|query|search|filter|\$filter|\$search)$/i;

/** What is built to be asked: by a time, in words or in a language. */
function askableOf({ kind, slots, readsByPost }: Fact): number {
  if (kind === "detail" || kind === "write") return 0;
  const open = slots.filter((slot) => slot.in === "query" || (readsByPost && slot.in === "body"));
  const names = open.map(({ name }) => name.replace(/([a-z])([A-Z])/g, "$1_$2"));
  return (names.some((name) => TIME.test(name)) ? 2 : 0) + (names.some((name) => WORDS.test(name)) ? 1 : 0);
}

/** Required values that are no key: whoever calls must know them. */
function unknownsOf({ kind, slots }: Fact): number {
  const required = slots.filter((slot) => slot.required && slot.in !== "path" && !isFixed(slot));
  const headers = required.filter((slot) => slot.in === "header" && !CREDENTIAL_NAME.test(slot.name)).length;
  const others = required.filter(
    (slot) => slot.in === "query" && !isIdName(slot.name) && !CREDENTIAL_NAME.test(slot.name),
  );
  return (
    3 * headers + (kind === "list" ? others.filter(({ name }) => !TIME.test(name) && !WORDS.test(name)).length : 0)
  );
}

/** The credential that lets in to most of the operations that ask for one. */
function usualScheme(facts: readonly Fact[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { operation } of facts)
    for (const scheme of new Set(operation.security.flatMap((uses) => uses.map((one) => one.scheme))))
      counts.set(scheme, (counts.get(scheme) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}

function needsOther({ operation: { security } }: Fact, usual: string | undefined): boolean {
  const isUsual = ({ scheme, scopes }: SchemeUse) =>
    scheme === usual && !scopes.some((scope) => /\badmin\b/.test(scope));
  return usual !== undefined && security.length > 0 && !security.some((uses) => uses.every(isUsual));
}

const RIGHTS =
  /\b(only|must|requires?|needs?|have)\b[^.]{0,60}\b(admin(istrator)?s?|super[- ]?admin\w*|(enterprise|organi[sz]ation|site|workspace) (owners?|admins?))\b|\badmin(istrator)?s? (only|privileges|permissions?|rights)\b/i;
const UNREADY =
  /\b(beta|(public|private|technical) preview|early access|experimental|subject to change|limited availability)\b/i;
const GONE =
  /^\W*(deprecated|legacy)\b|\((deprecated|legacy)\)|\b(endpoint|method|api|operation|resource|call)s? (is|are|has been|have been|will be) (now |being )?(deprecated|retired|removed|closing down|sunset|superseded)/i;
/** Characters of a description that are about the operation as such. */
const BEGINNING = 400;

function warningsOf({ operation: { summary = "", description = "" } }: Fact): number {
  const said = `${summary}. ${description.slice(0, BEGINNING)}`;
  const first = `${summary}. ${description.slice(0, BEGINNING).split(/(?<=[.!])\s/)[0] ?? ""}`;
  return (
    (/\bpublic\b/i.test(summary) ? 3 : 0) +
    (RIGHTS.test(said) ? 3 : 0) +
    (UNREADY.test(first) ? 4 : 0) +
    (GONE.test(summary) || GONE.test(description.slice(0, BEGINNING)) ? 10 : 0)
  );
}
