import { isFixed } from "../survey/list-slots.ts";
import type { Fact } from "../survey/read-fact.ts";
import type { Survey } from "../survey/survey-api.ts";
import type { Chosen } from "./choose-tools.ts";
import { findProducer, keySlots, type Source } from "./find-producer.ts";

/** Most of a draft reads: who changes a thing looks at it first. */
const MOST_WRITES = 8;
/** Of one kind of thing. */
const MOST_OF_ONE = 4;

/** The writes of what the chosen tools read, whose keys these list; a person who names operations gets what was named. */
export function chooseWrites(
  { writes, viewOf }: Survey,
  reads: readonly Chosen[],
  {
    most,
    without,
    isNamed,
  }: { readonly most: number; readonly without: ReadonlySet<string>; readonly isNamed: boolean },
): Chosen[] {
  const facts = reads.map(({ fact }) => fact);
  const read = new Set(facts.map(({ resource }) => resource.collection));
  const counts = new Map<string, number>();
  const chosen: Chosen[] = [];
  for (const fact of writes) {
    if (chosen.length >= (isNamed ? most : Math.min(most, MOST_WRITES))) break;
    if (without.has(fact.entry.key) || (!isNamed && isTwin(fact, chosen))) continue;
    const thing = thingOf(fact, read);
    const sources = findSources(fact, facts, viewOf);
    const kind = thing ?? fact.resource.collection;
    const isKnown = keySlots(fact).every((slot) => isFixed(slot) || sources.has(slot.place) || slot.in !== "path");
    // A path that names a method says what it does without a thing that is read: `chat.postMessage`.
    const isPart = thing !== undefined || fact.resource.verb !== undefined;
    if (!isNamed && (!isKnown || !isPart || (counts.get(kind) ?? 0) >= MOST_OF_ONE)) continue;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    chosen.push({ fact, sources });
  }
  return chosen;
}

/** Of PATCH and PUT on one path one is enough. */
function isTwin({ entry }: Fact, chosen: readonly Chosen[]): boolean {
  return (
    /^(PUT|PATCH)$/.test(entry.method) &&
    chosen.some(({ fact }) => fact.entry.path === entry.path && /^(PUT|PATCH)$/.test(fact.entry.method))
  );
}

/** The collection that it changes, where a tool reads it: `/pulls/{}/merge` changes a pull request. */
function thingOf({ resource }: Fact, read: ReadonlySet<string>): string | undefined {
  return [resource.collection, ...resource.keys.map(({ collection }) => collection).toReversed()].find((one) =>
    read.has(one),
  );
}

function findSources(fact: Fact, facts: readonly Fact[], viewOf: Survey["viewOf"]): ReadonlyMap<string, Source> {
  return new Map(
    keySlots(fact).flatMap((slot) => {
      const source = isFixed(slot) ? undefined : findProducer(slot, fact, facts, viewOf);
      return source === undefined ? [] : [[slot.place, source] as const];
    }),
  );
}
