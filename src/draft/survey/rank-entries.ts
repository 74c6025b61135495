import type { OperationEntry } from "../../model/api.ts";
import { CHANGES, destroys } from "../word/actions.ts";
import { wordsOf } from "../word/nouns.ts";
import { CENTRAL_WORDS, SIDE_DEEDS, SIDE_WORDS, saysSearch } from "../word/subject-words.ts";
import { deedOf } from "./deed-of.ts";
import { nameResource, type Resource, readNoun } from "./name-resource.ts";
import { type Index, readIndex } from "./read-index.ts";
import { HIDDEN } from "./view-schema.ts";

/** An operation of the index and how much it promises. */
export interface Candidate {
  readonly entry: OperationEntry;
  readonly resource: Resource;
  readonly score: number;
  /** Its name says that it changes something, whatever its method. */
  readonly changes: boolean;
  /** Operations at its collection and below it. */
  readonly below: number;
}

/** What an index promises, best first; ties keep the order of the document. */
export interface Ranked {
  /** What may read. */
  readonly reads: readonly Candidate[];
  /** What changes something; worked out where it is asked for. */
  readonly writes: readonly Candidate[];
}

/** Judges by its line of the index alone every operation. `use`: how often each was called. */
export function rankEntries(index: readonly OperationEntry[], use?: ReadonlyMap<string, number>): Ranked {
  const nameOf = openNaming();
  const named = index.map((entry) => ({ entry, resource: nameOf(entry) }));
  const judged = readIndex(named);
  const rank = (points: (entry: OperationEntry, resource: Resource) => number | undefined) =>
    named
      .flatMap(({ entry, resource }): Candidate[] => {
        const own = HIDDEN.test(`${entry.path} ${entry.id ?? ""}`) ? undefined : points(entry, resource);
        if (own === undefined) return [];
        const score = own + scoreOf(entry, resource, judged) + (own < 0 ? 0 : scoreOfUse(use?.get(entry.key) ?? 0));
        const below = judged.areas.get(resource.collection)?.below ?? 1;
        return [{ entry, resource, below, score, changes: own < 0 }];
      })
      .toSorted((a, b) => b.score - a.score);
  return {
    reads: rank(methodScore),
    get writes() {
      return rank(writeScore);
    },
  };
}

/** What is used comes before all that is not. */
function scoreOfUse(count: number): number {
  return count === 0 ? 0 : 40 + 6 * Math.log2(count);
}

/** Letters; what has no shorter name is asked for by few. */
const LONG_WORD = 12;
/** A word that is no word, for example an identifier, is no worse than one that is far too long. */
const LONGEST_WORD = 32;
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

/** What is sent comes back in another form; nothing is looked up. */
const COMPUTES = /^(format|parse|validate|render|preview|convert|simulate|evaluate)_/;
/** Of few of an API's users: what these do not reach is no help to the rest. */
const OF_FEW = /^(admin|internal|enterprise)$/;
/** What is not asked for over a JSON tool at all. */
const NOT_DATA = /[()$?]|microsoft\.graph\.|\.well-known|\*/;
/** Some frameworks write into a key what it must match: `{id:.*}`. */
const PATTERN = /:[^{}]*\}/g;
const UNSTABLE = /\/(v\d+)?(alpha|beta|preview|experimental)\d*(\/|$)/i;
/** Answers that do not end. */
const STREAMS = /\b(streams?|monitor|watch|tail|subscribe|long[- ]poll\w*)\b/i;
const READS = /^(get|list|search|find|query|lookup|describe|fetch|retrieve|read|count|info|history)$/;

/** Points: a step up or down is worth about one key in the path. */
function scoreOf(entry: OperationEntry, resource: Resource, index: Index): number {
  const nouns = resource.nouns.filter((noun) => !index.common.has(noun));
  const words = nouns.flatMap((noun) => noun.split("_"));
  const last = nouns.at(-1)?.split("_") ?? [];
  return (
    2.5 * Math.log2(1 + sizeOf(resource, index)) +
    index.nouns.of(resource) -
    index.nouns.ofYouth(entry.path) -
    keysCost(resource, index.areas) -
    2 * Math.max(nouns.length - 2, groupsOf(resource, nouns)) -
    0.4 * Math.max(0, ...last.map((word) => Math.min(word.length, LONGEST_WORD) - LONG_WORD)) -
    // What takes many words to name is a special case.
    1.5 * Math.min(3, Math.max(0, last.length - 2)) +
    centralityOf(last) +
    (saysSearch(last) || words[0] === "search" ? 2 : 0) +
    // Finds through all that the caller sees.
    (nouns[0] === "search" && nouns.length === 2 && resource.keys.length === 0 ? 2 : 0) -
    (isOfNobody(resource) ? 4 : 0) -
    7 * words.filter((word) => SIDE_WORDS.has(word) || /[a-z](key|binding)s?$/.test(word)).length -
    (last.some((word) => SIDE_DEEDS.has(word)) ? 6 : 0) -
    (COMPUTES.test(nouns.at(-1) ?? "") ? 4 : 0) -
    // What only the caller's own account has is a setting of it.
    (nouns.length === 2 && /^(user|me)$/.test(nouns[0]!) && resource.keys.length === 0 && index.nouns.isAlone(resource)
      ? 5
      : 0) -
    (isVariant(entry.path, index.paths) ? 40 : 0) -
    (nouns.some((noun) => OF_FEW.test(noun)) ? 6 : 0) -
    rarityOf(entry, index) -
    (entry.deprecated ? 60 : 0) -
    (NOT_DATA.test(entry.path.replace(PATTERN, "}")) || resource.nouns.length === 0 ? 40 : 0) -
    (STREAMS.test(entry.summary ?? "") ? 12 : 0) -
    (UNSTABLE.test(entry.path) ? 8 : 0) -
    // Where few paths end in a slash, those that do tell of the API and not of its things.
    (entry.path.endsWith("/") && !index.oftenSlashed ? 40 : 0)
  );
}

/** Of what the API itself records few operations tell, since nobody writes it: reading it is what it is for. */
const LEAST_OF_RECORDED = 4;
const LISTS = /\/(list|search|query|find|lookup|all)$/i;

function sizeOf(resource: Resource, { areas, listed, largest }: Index): number {
  const { collection, keys, verb, nouns, thing } = resource;
  const parent = collection.slice(0, collection.lastIndexOf("/"));
  // Where `/orders/search` is the only way to see orders, it stands for them.
  const isOnlyWay = verb === undefined && LISTS.test(collection) && !listed.has(parent);
  const weight = Math.min(areas.get(isOnlyWay ? parent : collection)?.weight ?? 1, 400);
  const isRecorded =
    keys.length === 0 &&
    areas.get(collection)?.isWritten !== true &&
    !nouns.includes("search") &&
    (largest.get(thing) ?? 0) <= LEAST_OF_RECORDED;
  return isRecorded ? Math.max(weight, LEAST_OF_RECORDED) : weight;
}

/** `/items#shared` beside `/items` is the same request told for one use of it. */
function isVariant(path: string, paths: ReadonlySet<string>): boolean {
  const at = path.indexOf("#");
  return at > 1 && paths.has(path.slice(0, at));
}

/** The last word says what a thing is, those before it which: `payment_method` is a method, and `event` an event. */
function centralityOf(last: readonly string[]): number {
  // Terms of a service are terms.
  const of = last.indexOf("of");
  const said = of > 0 ? last.slice(0, of) : last;
  const head = said.at(-1) ?? "";
  // Templates of emails are templates.
  if (SIDE_WORDS.has(head)) return 0;
  if (CENTRAL_WORDS.has(head)) return MOST_ASKED.test(head) ? 5.5 : 4;
  return said.some((word) => CENTRAL_WORDS.has(word)) ? 3 : 0;
}

/** What agents are asked for day by day. */
const MOST_ASKED =
  /^(alert|customer|deployment|incident|invoice|issue|message|order|payment|project|pull|release|task|ticket)s?$/;

/** Parts of the path that group what is below them, and are no things that a key picks: `/monitoring/alerts` beside `/alerts`. */
function groupsOf({ keys, collection }: Resource, nouns: readonly string[]): number {
  const owners = keys.filter((key) => key.collection !== collection).length;
  return Math.max(0, nouns.filter((noun) => !/^(user|me|search)$/.test(noun)).length - 1 - owners);
}

/** What people belong to; users of anything else are settings of it. */
const OF_PEOPLE =
  /(^|_)(org|organi[sz]ation|team|group|project|workspace|account|company|tenant|department|guild|channel|conversation|community|enterprise|room|space|board|course|class|repo|repository|site)s?$/;

/** Users of a database or of an event are not the API's users. */
function isOfNobody({ keys, nouns, thing }: Resource): boolean {
  return thing === "user" && keys.length > 0 && nouns.length > 1 && !OF_PEOPLE.test(nouns.at(-2)!);
}

/** An area with few operations tells of the edge of an API that has areas with many. */
function rarityOf({ tags: [tag] }: OperationEntry, { tags, largestTag }: Index): number {
  return tag === undefined ? 0 : Math.min(2, 0.6 * Math.log2((1 + largestTag) / (1 + (tags.get(tag) ?? 1))));
}

/** Each key has to be known first; one below which much of the API stands is known soon. */
function keysCost({ keys, endsInKey }: Resource, areas: Index["areas"]): number {
  const needed = endsInKey ? keys.slice(0, -1) : keys;
  return needed.reduce((sum, { collection }) => {
    // The row that has a repository's name has its owner too.
    if (collection.endsWith("{}")) return sum + 0.5;
    const size = areas.get(`${collection === "/" ? "" : collection}/{}`)?.below ?? 1;
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
