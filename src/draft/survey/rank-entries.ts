import type { OperationEntry } from "../../model/api.ts";
import { CHANGES, destroys } from "../word/actions.ts";
import { wordsOf } from "../word/nouns.ts";
import { CENTRAL_WORDS, SIDE_WORDS, saysSearch } from "../word/subject-words.ts";
import { deedOf } from "./deed-of.ts";
import { nameResource, type Resource, readNoun } from "./name-resource.ts";
import { HIDDEN } from "./view-schema.ts";

/** An operation of the index and how much it promises. */
export interface Candidate {
  readonly entry: OperationEntry;
  readonly resource: Resource;
  readonly score: number;
  /** Operations at its collection and below it. */
  readonly below: number;
}

/** What an index promises, best first; ties keep the order of the document. */
export interface Ranked {
  /** What may read. */
  readonly reads: readonly Candidate[];
  /** What changes something. */
  readonly writes: readonly Candidate[];
}

/** Judges by its line of the index alone every operation. `use`: how often each was called. */
export function rankEntries(index: readonly OperationEntry[], use?: ReadonlyMap<string, number>): Ranked {
  const nameOf = openNaming();
  const named = index.map((entry) => ({ entry, resource: nameOf(entry) }));
  const tags = countTags(index);
  const judged: Index = {
    sizes: countBelow(named.map(({ resource }) => resource.collection)),
    common: commonWords(named.map(({ resource }) => resource)),
    tags,
    largestTag: Math.max(0, ...tags.values()),
    oftenSlashed: index.filter(({ path }) => path.endsWith("/")).length * 2 > index.length,
  };
  const rank = (points: (entry: OperationEntry, resource: Resource) => number | undefined) =>
    named
      .flatMap(({ entry, resource }): Candidate[] => {
        const own = HIDDEN.test(`${entry.path} ${entry.id ?? ""}`) ? undefined : points(entry, resource);
        if (own === undefined) return [];
        const score = own + scoreOf(entry, resource, judged) + (own < 0 ? 0 : scoreOfUse(use?.get(entry.key) ?? 0));
        return [{ entry, resource, below: judged.sizes.get(resource.collection) ?? 1, score }];
      })
      .toSorted((a, b) => b.score - a.score);
  return { reads: rank(methodScore), writes: rank(writeScore) };
}

/** What is used comes before all that is not. */
function scoreOfUse(count: number): number {
  return count === 0 ? 0 : 40 + 6 * Math.log2(count);
}

/** Letters; what has no shorter name is asked for by few. */
const LONG_WORD = 12;
const READING_METHODS: ReadonlySet<string> = new Set(["GET", "QUERY", "POST"]);

/** A document of 10,000 operations has some 1,000 different words in its paths, and several operations on each path. */
function openNaming(): (entry: OperationEntry) => Resource {
  const nouns = new Map<string, string>();
  const nounOf = (part: string) => {
    const noun = nouns.get(part) ?? readNoun(part);
    nouns.set(part, noun);
    return noun;
  };
  const onPath = new Map<string, Resource>();
  return (entry) => {
    const resource = onPath.get(entry.path) ?? nameResource(entry, nounOf);
    // Where paths are all the same, the operationId says what they are about.
    if (!entry.path.includes("#")) onPath.set(entry.path, resource);
    return resource;
  };
}

/** What only all operations together tell. */
interface Index {
  readonly sizes: ReadonlyMap<string, number>;
  /** Words of so many paths that they tell of the API, and nothing of an operation. */
  readonly common: ReadonlySet<string>;
  /** Operations of each tag. */
  readonly tags: ReadonlyMap<string, number>;
  readonly largestTag: number;
  readonly oftenSlashed: boolean;
}

function countTags(index: readonly OperationEntry[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { tags } of index) for (const tag of tags.slice(0, 1)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return counts;
}

function commonWords(resources: readonly Resource[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { nouns } of resources)
    for (const noun of new Set(nouns.slice(0, -1))) counts.set(noun, (counts.get(noun) ?? 0) + 1);
  return new Set([...counts].filter(([, count]) => count > Math.max(8, resources.length * 0.4)).map(([noun]) => noun));
}

/** How many operations there are at a collection and below it: what an API is about has most. */
function countBelow(collections: readonly string[]): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  for (const collection of collections)
    for (let path = collection; path !== ""; path = path.slice(0, path.lastIndexOf("/")))
      sizes.set(path, (sizes.get(path) ?? 0) + 1);
  return sizes;
}

/** Of few of an API's users: what these do not reach is no help to the rest. */
const OF_FEW = /^(admin|internal|enterprise)$/;
/** What is not asked for over a JSON tool at all. */
const NOT_DATA = /[()$?]|microsoft\.graph\.|\.well-known|\*/;
const UNSTABLE = /\/(v\d+)?(alpha|beta|preview|experimental)\d*(\/|$)/i;
/** Answers that do not end. */
const STREAMS = /\b(streams?|monitor|watch|tail|subscribe|long[- ]poll\w*)\b/i;
const READS = /^(get|list|search|find|query|lookup|describe|fetch|retrieve|read|count|info|history)$/;

/** Points: a step up or down is worth about one key in the path. */
function scoreOf(entry: OperationEntry, resource: Resource, index: Index): number {
  const nouns = resource.nouns.filter((noun) => !index.common.has(noun));
  const words = nouns.flatMap((noun) => noun.split("_"));
  const last = nouns.at(-1)?.split("_") ?? [];
  const below = index.sizes.get(resource.collection) ?? 1;
  return (
    2.5 * Math.log2(1 + Math.min(below, 400)) -
    keysCost(resource, index.sizes) -
    2 * Math.max(nouns.length - 2, groupsOf(resource, nouns)) -
    0.4 * Math.max(0, ...last.map((word) => word.length - LONG_WORD)) -
    // What takes many words to name is a special case.
    1.5 * Math.min(3, Math.max(0, last.length - 2)) +
    centralityOf(last) +
    (saysSearch(last) || words[0] === "search" ? 3 : 0) -
    6 * words.filter((word) => SIDE_WORDS.has(word) || /[a-z]keys?$/.test(word)).length -
    (nouns.some((noun) => OF_FEW.test(noun)) ? 6 : 0) -
    rarityOf(entry, index) -
    (entry.deprecated ? 60 : 0) -
    (NOT_DATA.test(entry.path) || resource.nouns.length === 0 ? 40 : 0) -
    (STREAMS.test(entry.summary ?? "") ? 12 : 0) -
    (UNSTABLE.test(entry.path) ? 8 : 0) -
    // Where few paths end in a slash, those that do tell of the API and not of its things.
    (entry.path.endsWith("/") && !index.oftenSlashed ? 40 : 0)
  );
}

/** The last word says what a thing is, those before it which: `payment_method` is a method, and `event` an event. */
function centralityOf(last: readonly string[]): number {
  if (CENTRAL_WORDS.has(last.at(-1) ?? "")) return 6;
  return last.some((word) => CENTRAL_WORDS.has(word)) ? 4 : 0;
}

/** Parts of the path that group what is below them, and are no things that a key picks: `/monitoring/alerts` beside `/alerts`. */
function groupsOf({ keys, collection }: Resource, nouns: readonly string[]): number {
  const owners = keys.filter((key) => key.collection !== collection).length;
  return Math.max(0, nouns.filter((noun) => !/^(user|me|search)$/.test(noun)).length - 1 - owners);
}

/** An area with few operations tells of the edge of an API that has areas with many. */
function rarityOf({ tags: [tag] }: OperationEntry, { tags, largestTag }: Index): number {
  return tag === undefined ? 0 : Math.min(2, 0.6 * Math.log2((1 + largestTag) / (1 + (tags.get(tag) ?? 1))));
}

/** Each key has to be known first; one below which much of the API stands is known soon. */
function keysCost({ keys, endsInKey }: Resource, sizes: ReadonlyMap<string, number>): number {
  const needed = endsInKey ? keys.slice(0, -1) : keys;
  return needed.reduce((sum, { collection }) => {
    const size = sizes.get(`${collection === "/" ? "" : collection}/{}`) ?? 1;
    return sum + 3 - 2 * Math.min(1, Math.log2(size) / 7);
  }, 0);
}

function methodScore(entry: OperationEntry, { nouns, verb }: Resource): number | undefined {
  if (!READING_METHODS.has(entry.method)) return undefined;
  if (CHANGES.has(firstWord(verb ?? "")) || CHANGES.has(firstWord(/[^./]*$/.exec(entry.id ?? "")?.[0] ?? "")))
    return -60;
  if (entry.method === "GET" || entry.method === "QUERY") return verb === undefined || READS.test(verb) ? 10 : 4;
  return isReadingPost(entry, { nouns, ...(verb !== undefined && { verb }) }) ? 6 : -60;
}

/** Making and changing a thing before what is done to it, and that before taking it away; undefined for what only reads. */
function writeScore(entry: OperationEntry, resource: Resource): number | undefined {
  if (!/^(POST|PUT|PATCH|DELETE)$/.test(entry.method) || isReadingPost(entry, resource)) return undefined;
  const verb = resource.verb?.split("_") ?? [];
  const central = verb.filter((word) => CENTRAL_WORDS.has(word)).length;
  const ofCentral = central === 0 ? 0 : 6 + 2 * central;
  const points = { create: 10, change: entry.method === "PUT" ? 7 : 9, act: 6, delete: 3 };
  const isGone = destroys(verb[0] ?? "") ? 6 : 0;
  return (
    points[deedOf(entry.method, resource)] + ofCentral - isGone - 6 * verb.filter((word) => SIDE_WORDS.has(word)).length
  );
}

function firstWord(name: string): string {
  return (/^[A-Z]?[a-z]+/.exec(name)?.[0] ?? "").toLowerCase();
}

/** Whether a POST only reads by its name: a search whose conditions stand in the body. */
export function isReadingPost(
  { method, id = "", path }: Pick<OperationEntry, "method" | "id" | "path">,
  { nouns, verb }: Pick<Resource, "nouns" | "verb">,
): boolean {
  if (method !== "POST") return false;
  if (verb !== undefined && path.includes("#")) return READS.test(verb);
  const last = nouns.at(-1)?.split("_") ?? [];
  return (
    last.some((word) => /^(search|query|lookup|find|list|filter|queries|retrieve)$/.test(word)) && !startsOtherwise(id)
  );
}

function startsOtherwise(id: string): boolean {
  return wordsOf(id).some((word) =>
    /^(create|add|update|save|start|run|execute|delete|remove|set|insert|submit)$/.test(word),
  );
}
