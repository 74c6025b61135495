import { isJsonObject, type Json } from "../model/json.ts";
import { checkShape } from "./check-shape.ts";
import { valueAt } from "./explain-issues.ts";
import type { Finding, Path } from "./finding.ts";
import type { CurationFile, LeftOut } from "./format.ts";
import { standInFor } from "./stand-ins.ts";

export interface SoundPart {
  readonly content: CurationFile;
  /** What is not in `content` because something is wrong with it. */
  readonly leftOut: readonly LeftOut[];
  /** The path in the file of what is at this path of `content`. */
  trace(path: Path): Path;
}

/** More rounds than this would mean that each removal breaks its owner, up to the root. */
const MOST_ROUNDS = 8;

/**
 * The part of a curation that has no mistake, so that the rest can be checked against the spec in the same go. Undefined where too little is
 * left to be a curation.
 */
export function leaveOutFaults(file: Json, findings: readonly Finding[]): SoundPart | undefined {
  const changes = new Map<string, Change>();
  const trace = (path: Path) => traceBack(path, changes);
  let wrong = findings;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    // All are traced before any is made: their paths are those of the round before.
    const found = wrong.map((finding) => changeFor({ ...finding, path: trace(finding.path) }));
    const before = round > 0 ? new Map(changes) : changes;
    for (const change of found) changes.set(keyOf(change.path), weigh(changes.get(keyOf(change.path)), change, round));
    if (round > 0 && found.every(({ path }) => before.get(keyOf(path)) === changes.get(keyOf(path)))) return undefined;
    const { content, findings: more } = checkShape(without(file, treeOf([...changes.values()])));
    if (content !== undefined) {
      const leftOut = [...changes.values()].map(({ path }) => ({ path, value: valueAt(file, path) ?? null }));
      return { content, leftOut, trace };
    }
    wrong = more;
  }
  return undefined;
}

interface Change {
  readonly path: Path;
  /** Absent: the entry goes whole. */
  readonly standIn?: Json;
}

function changeFor(finding: Finding): Change {
  const found = standInFor(finding);
  return found === undefined ? { path: finding.path } : { path: found.path, standIn: found.value };
}

/** Of two mistakes in one entry the one that takes it out counts; so it goes where its stand-in does not do either. */
function weigh(known: Change | undefined, change: Change, round: number): Change {
  if (known === undefined) return change;
  if (known.standIn === undefined) return known;
  return round > 0 ? { path: change.path } : change;
}

interface Removal {
  readonly inside: Map<string, Removal>;
  change?: Change;
}

function treeOf(changes: readonly Change[]): Removal {
  const root: Removal = { inside: new Map() };
  for (const change of changes) {
    let node = root;
    for (const step of change.path) {
      const next = node.inside.get(String(step)) ?? { inside: new Map() };
      node.inside.set(String(step), next);
      node = next;
    }
    node.change = change;
  }
  return root;
}

/** Where a path goes whole, what was to go inside it does not matter. */
function without(value: Json, removal: Removal): Json {
  const { inside } = removal;
  if (Array.isArray(value)) return value.flatMap((item: Json, index) => keep(item, inside.get(String(index))));
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).flatMap(([name, entry]) =>
    keep(entry, inside.get(name)).map((one) => [name, one] as const),
  );
  const lacking = [...inside].flatMap(([name, { change }]) =>
    Object.hasOwn(value, name) || change?.standIn === undefined ? [] : [[name, change.standIn] as const],
  );
  return Object.fromEntries([...kept, ...lacking]);
}

function keep(entry: Json, removal: Removal | undefined): Json[] {
  if (removal === undefined) return [entry];
  const { change } = removal;
  if (change === undefined) return [without(entry, removal)];
  return change.standIn === undefined ? [] : [change.standIn];
}

/** Items of a list that lost some before them stand further on in the file. */
function traceBack(path: Path, changes: ReadonlyMap<string, Change>): Path {
  const traced: (string | number)[] = [];
  for (const step of path) {
    let at = step;
    if (typeof step === "number") {
      let position = -1;
      for (let left = step + 1; left > 0; ) {
        position += 1;
        if (!isGone(changes.get(keyOf([...traced, position])))) left -= 1;
      }
      at = position;
    }
    traced.push(at);
  }
  return traced;
}

function isGone(change: Change | undefined): boolean {
  return change !== undefined && change.standIn === undefined;
}

function keyOf(path: Path): string {
  return JSON.stringify(path);
}
