import type { Api, OperationEntry } from "../../model/api.ts";
import { isCalled, thingOfKey } from "../word/nouns.ts";
import { saysSearch } from "../word/subject-words.ts";
import type { Slot } from "./list-slots.ts";
import type { Resource } from "./name-resource.ts";
import { type Candidate, rankEntries } from "./rank-entries.ts";
import { type Fact, readFact, readUndescribed } from "./read-fact.ts";
import { readWrite } from "./read-write.ts";
import { openViews, type ViewSchema } from "./view-schema.ts";

export interface Survey {
  /** The best first. */
  readonly facts: readonly Fact[];
  /** What changes something, the best first; none unless asked for. */
  readonly writes: readonly Fact[];
  readonly viewOf: ViewSchema;
  /** How often each operation was called, where that is known. */
  readonly use?: ReadonlyMap<string, number>;
  /** Of the operations that may read: in how many each key stands in the path, and how many there are. */
  readonly keys: ReadonlyMap<string, number>;
  readonly reading: number;
  /** By collection, the name of the key by which one is picked from it. */
  readonly picks: ReadonlyMap<string, string>;
  /** Of the document. */
  readonly operations: number;
  /** Of what was asked for: how many change something. */
  readonly changing: number;
  /** How many a person left out by what was asked for. */
  readonly unasked: number;
  /** What was read and is no use, each with why. */
  readonly unusable: readonly { readonly entry: OperationEntry; readonly why: string }[];
}

export interface SurveyOptions {
  /** Only these are looked at. */
  readonly keep?: (entry: OperationEntry) => boolean;
  /** Keys of operations that are read whatever they promise. */
  readonly also?: ReadonlySet<string>;
  /** Places that callers never fill; an operation must have each of these kinds. */
  readonly pins?: readonly ((slot: Slot) => boolean)[];
  /** Operations that change something are looked at too. */
  readonly writes?: boolean;
  /** How often each was called, by its key. */
  readonly use?: ReadonlyMap<string, number>;
  /** Is told of each operation that was read. */
  readonly progress?: (read: number, of: number) => void;
}

/** Reading costs as much as loading where a document is small, and much where its schemas are large; the best are among these. */
const MOST_READ = 72;
const MOST_WRITES_READ = 40;
const MOST_COLLECTIONS = 30;
/** Collections of one thing. */
const MOST_OF_THING = 2;
/** Of each key. */
const MOST_LISTERS = 4;
const MOST_UNDESCRIBED = 12;

/** Looks through the index, and reads what promises most, and what lists the keys of that. */
export function surveyApi(
  api: Api,
  { keep = () => true, also = new Set(), pins = [], writes = false, use, progress }: SurveyOptions,
): Survey {
  const viewOf = openViews(api);
  const ranking = rankEntries(api.index, use);
  const { reads: all } = ranking;
  const ranked = all.filter(({ entry }) => keep(entry));
  const kept = api.index.filter(keep).length;
  const facts = new Map<string, Fact>();
  const unusable = new Map<string, { readonly entry: OperationEntry; readonly why: string }>();
  const readAll = (candidates: readonly Candidate[], how: typeof readFact) => {
    const unread = candidates.filter(({ entry }) => !facts.has(entry.key));
    for (const [at, candidate] of unread.entries()) {
      const fact = how(candidate, api, viewOf, (why) =>
        unusable.set(candidate.entry.key, { entry: candidate.entry, why }),
      );
      if (fact !== undefined) facts.set(candidate.entry.key, fact);
      progress?.(at + 1, unread.length);
    }
  };
  if (also.size > 0)
    readAll(
      all.filter(({ entry }) => also.has(entry.key)),
      readFact,
    );
  readAll(promising(ranked), readFact);
  readAll(listersOf([...facts.values()], ranked), readFact);
  // Better than nothing: what promises little.
  if (facts.size === 0) readAll(ranked.filter(({ changes }) => !changes).slice(0, MOST_READ), readFact);
  // Then answers that the document does not describe.
  if (facts.size === 0) readAll(ranked.filter(({ score }) => score > -20).slice(0, MOST_UNDESCRIBED), readUndescribed);
  const found = withoutPinned([...facts.values()], pins).toSorted((a, b) => b.score - a.score);
  const written = !writes
    ? []
    : ranking.writes.filter(({ entry, score }) => keep(entry) && score > -20).slice(0, MOST_WRITES_READ);
  return {
    facts: withoutTwins(found),
    writes: withoutPinned(
      written.flatMap((candidate) => readWrite(candidate, api, viewOf) ?? []),
      pins,
    ),
    viewOf,
    keys: countKeys(ranked),
    picks: new Map(
      all.flatMap(({ resource: { keys } }) => keys.map(({ name, collection }) => [collection, name] as const)),
    ),
    reading: ranked.length,
    operations: api.index.length,
    changing: kept - ranked.filter(({ changes }) => !changes).length,
    unasked: api.index.length - kept,
    unusable: [...unusable.values()].filter(({ entry }) => !facts.has(entry.key)),
    ...(use !== undefined && { use }),
  };
}

/** What a pin fills is no key that a caller has to find; what cannot carry it is no tool. */
function withoutPinned(facts: readonly Fact[], pins: readonly ((slot: Slot) => boolean)[]): Fact[] {
  if (pins.length === 0) return [...facts];
  return facts
    .filter(({ slots }) => pins.every((isPinned) => slots.some(isPinned)))
    .map((fact) => {
      const pinned = fact.slots.filter((slot) => pins.some((isPinned) => isPinned(slot)));
      const names = new Set(pinned.filter((slot) => slot.in === "path").map(({ name }) => name));
      const keys = fact.resource.keys.filter(({ name }) => !names.has(name));
      return {
        ...fact,
        resource: { ...fact.resource, keys },
        slots: fact.slots.filter((slot) => !pinned.includes(slot)),
      };
    });
}

/** Lists that are called as an open key is: `repo` may be found in `/search/repositories`. */
function listersOf(facts: readonly Fact[], ranked: readonly Candidate[]): Candidate[] {
  const listed = new Set(facts.filter(({ body }) => body.kind === "rows").map(({ resource }) => resource.collection));
  const open = facts.flatMap(({ resource }) =>
    resource.keys.filter(({ collection }) => !listed.has(collection)).map(({ name }) => name),
  );
  const things = new Set(open.map(thingOfKey));
  return [...things].flatMap((thing) => {
    if (thing.length < 3) return [];
    const lists = ({ entry, resource, score }: Candidate) =>
      score > -20 && entry.method === "GET" && !resource.endsInKey && isCalled(thing, resource.nouns.at(-1) ?? "");
    return ranked.filter(lists).slice(0, MOST_LISTERS);
  });
}

/** Where a path reads by GET and by POST, the GET is enough. */
function withoutTwins(facts: readonly Fact[]): Fact[] {
  const read = new Set(facts.filter(({ readsByPost }) => !readsByPost).map(({ entry }) => entry.path));
  return facts.filter(({ readsByPost, entry }) => !readsByPost || !read.has(entry.path));
}

/** By whole collections, so that a list comes with its detail, and with the collections that its keys pick from. */
function promising(ranked: readonly Candidate[]): Candidate[] {
  const byCollection = new Map<string, Candidate[]>();
  for (const candidate of ranked.filter(({ score }) => score > -20)) {
    const { collection } = candidate.resource;
    const found = byCollection.get(collection);
    if (found === undefined) byCollection.set(collection, [candidate]);
    else found.push(candidate);
  }
  const wanted = new Set<string>();
  const things = new Map<string, number[]>();
  for (const [collection, [first]] of byCollection) {
    if (wanted.size >= MOST_COLLECTIONS) break;
    if (isToldAlready(first!.resource, things)) continue;
    wanted.add(collection);
    for (const key of first!.resource.keys) wanted.add(key.collection);
  }
  const found = [...wanted].flatMap((collection) => byCollection.get(collection) ?? []);
  return found.toSorted((a, b) => b.score - a.score).slice(0, MOST_READ);
}

/** The same thing under one more owner tells no more of what there is; a search through it does. */
function isToldAlready({ nouns, keys }: Resource, told: Map<string, number[]>): boolean {
  const [last = "", before = ""] = nouns.toReversed();
  const thing = saysSearch(last.split("_")) ? `${before}/${last}` : last;
  const known = told.get(thing) ?? [];
  if (known.length >= MOST_OF_THING || known.some((count) => count < keys.length)) return true;
  told.set(thing, [...known, keys.length]);
  return false;
}

function countKeys(ranked: readonly Candidate[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { resource } of ranked)
    for (const name of new Set(resource.keys.map((key) => key.name))) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
