import type { OperationEntry } from "../../model/api.ts";
import { rememberBounded } from "../../model/remember.ts";
import { singular } from "../word/nouns.ts";
import { CENTRAL_WORDS } from "../word/subject-words.ts";
import type { Resource } from "./name-resource.ts";

/** What the names of all things of an API together tell of one of them. */
export interface NounWeights {
  /** Points of a thing by its name. */
  of(resource: Resource): number;
  /** Whether a thing is at one place of the document alone. */
  isAlone(resource: Resource): boolean;
  /** Points off what the document also has in an unstable version: it is young. */
  ofYouth(path: string): number;
}

/** More than the largest documents have. */
const MOST_KNOWN = 20_000;

export function weighNouns(
  named: readonly { readonly entry: OperationEntry; readonly resource: Resource }[],
): NounWeights {
  const places = countPlaces(named.map(({ resource }) => resource));
  const extended = countExtended(places);
  const widest = Math.max(3, Math.log2(Math.max(1, ...places.values())));
  const weigh = rememberBounded(
    MOST_KNOWN,
    (thing) =>
      // What stands below many things is asked for from many sides.
      (3 * Math.log2(places.get(thing) ?? 1)) / widest +
      (thing.split("_").length > 2 ? 0 : Math.min(3, Math.log2(1 + (extended.get(thing) ?? 0)))) -
      partOf(thing, places),
  );
  const unstable = new Set(
    named
      .map(({ entry }) => entry.path)
      .filter((path) => UNSTABLE.test(path))
      .map(unversioned),
  );
  return {
    of: ({ thing }) => weigh(thing),
    isAlone: (resource) => (places.get(resource.thing) ?? 1) === 1,
    ofYouth: (path) => (unstable.size > 0 && VERSION.test(path) && unstable.has(unversioned(path)) ? 4 : 0),
  };
}

const UNSTABLE = /\/(v\d+)?(alpha|beta|preview|experimental)\d*(\/|$)/i;
const VERSION = /\/v\d+((alpha|beta|preview)\d*)?(?=\/|$)/i;

function unversioned(path: string): string {
  return path.replace(VERSION, "/v");
}

/** What these see of a thing is not another place of it. */
const OF_FEW = /^(admin|internal|enterprise)$/;

/** At how many places of the document each thing is. */
function countPlaces(resources: readonly Resource[]): ReadonlyMap<string, number> {
  const seen = new Set<string>();
  const counts = new Map<string, number>();
  const isOfFew = ({ nouns }: Resource) => nouns.some((noun) => OF_FEW.test(noun));
  // Where most of the API is for few this says nothing.
  const few = resources.filter(isOfFew).length * 2 < resources.length ? isOfFew : () => false;
  for (const resource of resources) {
    if (seen.has(resource.collection) || few(resource)) continue;
    seen.add(resource.collection);
    const { thing } = resource;
    counts.set(thing, (counts.get(thing) ?? 0) + 1);
  }
  return counts;
}

/** `folder_lock` is named after `folder`; the more are, the more a thing is at the centre. */
function countExtended(places: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const thing of places.keys()) {
    const base = beginningsOf(thing).find((one) => places.has(one));
    if (base !== undefined) counts.set(base, (counts.get(base) ?? 0) + 1);
  }
  return counts;
}

/** A thing that is named after another is a part of it, or a kind of it. */
function partOf(thing: string, places: ReadonlyMap<string, number>): number {
  // A cost alert is an alert first, where alerts are what people ask for.
  const isCentral = CENTRAL_WORDS.has(thing.slice(thing.lastIndexOf("_") + 1));
  if (beginningsOf(thing).some((one) => places.has(one))) return isCentral ? 1 : 2;
  return endsOf(thing).some((one) => places.has(one)) ? 1.5 : 0;
}

function beginningsOf(thing: string): string[] {
  const words = thing.split("_");
  return words.slice(1).map((_, at) => singular(words.slice(0, words.length - 1 - at).join("_")));
}

function endsOf(thing: string): string[] {
  const words = thing.split("_");
  return words.slice(1).map((_, at) => words.slice(at + 1).join("_"));
}
