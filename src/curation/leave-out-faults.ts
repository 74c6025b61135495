import { isJsonObject, type Json } from "../model/json.ts";
import { checkShape } from "./check-shape.ts";
import type { Finding, Path } from "./finding.ts";
import type { CurationFile } from "./format.ts";

export interface SoundPart {
  readonly content: CurationFile;
  /** What is not in `content` because something is wrong with it. */
  readonly leftOut: readonly Path[];
}

/** More rounds than this would mean that each removal breaks its owner, up to the root. */
const MOST_ROUNDS = 8;

/** What stands in for an entry without which the rest could not be looked at. */
const STAND_INS: ReadonlyMap<string, Json> = new Map<string, Json>([
  ["vitrine", 1],
  ["server/name", "server"],
]);

/**
 * The part of a curation that has no mistake, so that the rest can be checked against the spec in the same go. Undefined where too little is
 * left to be a curation.
 */
export function leaveOutFaults(file: Json, findings: readonly Finding[]): SoundPart | undefined {
  let value = file;
  let wrong = findings;
  const leftOut: Path[] = [];
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const paths = distinct(wrong.map((finding) => ownerOfList(finding.path)));
    leftOut.push(...paths);
    value = without(value, treeOf(paths), []);
    const { content, findings: more } = checkShape(value);
    if (content !== undefined) return { content, leftOut };
    if (more.some(({ path }) => path.length === 0)) return undefined;
    wrong = more;
  }
  return undefined;
}

function distinct(paths: readonly Path[]): Path[] {
  return [...new Map(paths.map((path) => [JSON.stringify(path), path])).values()];
}

/** What goes, by steps: a leaf goes whole. */
type Removal = Map<string, Removal>;

function treeOf(paths: readonly Path[]): Removal {
  const root: Removal = new Map();
  // The longest first: where a path goes whole, what was to go inside it does not matter.
  for (const path of paths.toSorted((a, b) => b.length - a.length)) {
    let node = root;
    for (const step of path) {
      const next = node.get(String(step)) ?? new Map();
      node.set(String(step), next);
      node = next;
    }
    node.clear();
  }
  return root;
}

/** A list goes whole: without one of its items the others would be looked up at the wrong place. */
function ownerOfList(path: Path): Path {
  const item = path.findIndex((step) => typeof step === "number");
  return item === -1 ? path : path.slice(0, item);
}

function without(value: Json, removal: Removal, above: readonly string[]): Json {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, entry]): [string, Json][] => {
      const inside = removal.get(name);
      if (inside === undefined) return [[name, entry]];
      const path = [...above, name];
      if (inside.size > 0) return [[name, without(entry, inside, path)]];
      const standIn = STAND_INS.get(path.join("/"));
      return standIn === undefined ? [] : [[name, standIn]];
    }),
  );
}
