import type { OperationEntry } from "../../model/api.ts";
import { CHANGES, destroys } from "../word/actions.ts";
import { wordsOf } from "../word/nouns.ts";
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
  const judged: Index = {
    sizes: countBelow(named.map(({ resource }) => resource.collection)),
    common: commonWords(named.map(({ resource }) => resource)),
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
  readonly oftenSlashed: boolean;
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

/** What agents are seldom asked for, in a path or an operationId. */
const SIDE_WORDS = new Set(
  `health healthz ping ready live liveness readiness openapi swagger docs schema schemas metrics login logout oauth oauth2 token tokens auth saml
sso callback callbacks webhook webhooks hook hooks internal debug beta preview test tests migration migrations license licenses telemetry feedback
export exports import imports download downloads upload uploads archive raw binary avatar icon image logo thumbnail preferences settings config
configuration session sessions key keys secret secrets credential credentials password certificate certificates ca cert subscribe subscription_schedules
batch bulk options delta watch proxy attach exec scale finalize ui edge enterprise enterprises permission permissions template templates bindings token
mfa policy policies feeds emojis emoji gitignore markdown meta zen octocat codes legacy deprecated admin client frontend sdk codespaces installation installations invitations invitation
marketplace toggles apidocs`.split(/\s+/),
);
/** What they often are. */
const CENTRAL_WORDS = new Set(
  `search user users project projects issue issues task tasks customer customers order orders invoice invoices payment payments message messages
file files folder folders event events account accounts product products member members team teams team comment comments repo repos repository
repositories pull pulls commit commits release releases channel channels conversation conversations zone zones record records cost costs usage
report reports stat stats statistics alert alerts incident incidents log logs query deployment deployments pod pods node nodes service services
namespace namespaces container containers image images volume volumes network networks domain domains server servers droplet droplets app apps feature
features flag flags segment segments environment environments booking bookings contact contacts email emails call calls calendar drive drives
group groups charge charges refund refunds subscription subscriptions price prices balance balance_transactions payout payouts dispute disputes workspace workspaces portfolio
portfolios goal goals section sections story stories ticket tickets budget budgets resource resources audit history
job jobs run runs build builds branch branches workflow workflows pipeline pipelines post posts page pages document documents article articles device devices
transaction transactions transfer transfers employee employees company companies lead leads deal deals campaign campaigns review reviews location locations`.split(
    /\s+/,
  ),
);
/** What is not asked for over a JSON tool at all. */
const NOT_DATA = /[()$?]|microsoft\.graph\.|\.well-known|\*/;
const UNSTABLE = /\/(v\d+)?(alpha|beta|preview|experimental)\d*(\/|$)/i;
/** Answers that do not end. */
const STREAMS = /\b(streams?|monitor|watch|tail|subscribe|long[- ]poll\w*)\b/i;
const READS = /^(get|list|search|find|query|lookup|describe|fetch|retrieve|read|count|info|history)$/;

/** Points: a step up or down is worth about one key in the path. */
function scoreOf(entry: OperationEntry, resource: Resource, { sizes, common, oftenSlashed }: Index): number {
  const nouns = resource.nouns.filter((noun) => !common.has(noun));
  const words = nouns.flatMap((noun) => noun.split("_"));
  const last = nouns.at(-1)?.split("_") ?? [];
  const below = sizes.get(resource.collection) ?? 1;
  return (
    2.5 * Math.log2(1 + Math.min(below, 400)) -
    keysCost(resource, sizes) -
    2 * Math.max(0, nouns.length - 2) -
    0.4 * Math.max(0, ...last.map((word) => word.length - LONG_WORD)) +
    (last.some((word) => CENTRAL_WORDS.has(word)) ? 6 : 0) +
    (words.includes("search") ? 3 : 0) -
    6 * words.filter((word) => SIDE_WORDS.has(word) || /[a-z]keys?$/.test(word)).length -
    (entry.deprecated ? 60 : 0) -
    (NOT_DATA.test(entry.path) || resource.nouns.length === 0 ? 40 : 0) -
    (STREAMS.test(entry.summary ?? "") ? 12 : 0) -
    (UNSTABLE.test(entry.path) ? 8 : 0) -
    // Where few paths end in a slash, those that do tell of the API and not of its things.
    (entry.path.endsWith("/") && !oftenSlashed ? 40 : 0)
  );
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
  const isCentral = verb.some((word) => CENTRAL_WORDS.has(word)) ? 8 : 0;
  const points = { create: 10, change: entry.method === "PUT" ? 7 : 9, act: 6, delete: 3 };
  const isGone = destroys(verb[0] ?? "") ? 6 : 0;
  return (
    points[deedOf(entry.method, resource)] + isCentral - isGone - 6 * verb.filter((word) => SIDE_WORDS.has(word)).length
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
