import type { OperationEntry } from "../../model/api.ts";
import type { Resource } from "./name-resource.ts";
import { type NounWeights, weighNouns } from "./weigh-nouns.ts";

/** A collection with all below it. */
export interface Area {
  /** Operations. */
  below: number;
  /** The same, where what is far below counts less. */
  weight: number;
  /** Some of them make something or take it away. */
  isWritten: boolean;
}

/** What only all operations together tell. */
export interface Index {
  /** By collection, and by each beginning of one. */
  readonly areas: ReadonlyMap<string, Area>;
  readonly nouns: NounWeights;
  /** The weight of the largest collection of each thing. */
  readonly largest: ReadonlyMap<string, number>;
  /** Collections that a GET lists. */
  readonly listed: ReadonlySet<string>;
  readonly paths: ReadonlySet<string>;
  /** Words of so many paths that they tell of the API, and nothing of an operation. */
  readonly common: ReadonlySet<string>;
  /** Operations of each tag. */
  readonly tags: ReadonlyMap<string, number>;
  readonly largestTag: number;
  readonly oftenSlashed: boolean;
}

export function readIndex(named: readonly { readonly entry: OperationEntry; readonly resource: Resource }[]): Index {
  const entries = named.map(({ entry }) => entry);
  const resources = named.map(({ resource }) => resource);
  const tags = countTags(entries);
  const areas = measureAreas(named);
  return {
    areas,
    largest: findLargest(resources, areas),
    nouns: weighNouns(named),
    listed: new Set(
      named.flatMap(({ entry, resource }) =>
        entry.method === "GET" && !resource.endsInKey ? [resource.collection] : [],
      ),
    ),
    paths: new Set(entries.map(({ path }) => path)),
    common: commonWords(resources),
    tags,
    largestTag: Math.max(0, ...tags.values()),
    oftenSlashed: entries.filter(({ path }) => path.endsWith("/")).length * 2 > entries.length,
  };
}

function findLargest(resources: readonly Resource[], areas: ReadonlyMap<string, Area>): ReadonlyMap<string, number> {
  const largest = new Map<string, number>();
  for (const { thing, collection } of resources)
    largest.set(thing, Math.max(largest.get(thing) ?? 0, areas.get(collection)?.weight ?? 1));
  return largest;
}

/** What is changed alone, as an alert that is put aside, was recorded by the API itself. */
const WRITES = /^(POST|DELETE)$/;

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

/** What an API is about has most operations at it and below it. */
function measureAreas(
  named: readonly { readonly entry: OperationEntry; readonly resource: Resource }[],
): ReadonlyMap<string, Area> {
  const areas = new Map<string, Area>();
  for (const { entry, resource } of named) {
    const { collection } = resource;
    const isWritten = WRITES.test(entry.method);
    // The state of a thing is a part of it that some APIs read and write apart.
    const own = /\/stat(e|us)$/i.test(collection) ? 0.5 : 1;
    for (let path = collection, weight = own; path !== ""; path = path.slice(0, path.lastIndexOf("/"))) {
      const area = areas.get(path) ?? { below: 0, weight: 0, isWritten: false };
      area.below += 1;
      area.weight += weight;
      area.isWritten ||= isWritten;
      areas.set(path, area);
      if (path !== collection && !path.endsWith("{}")) weight *= FADES;
    }
  }
  return areas;
}

/** Many settings of settings of a thing do not make it what an API is about. */
const FADES = 0.6;
