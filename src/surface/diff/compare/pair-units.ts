import { nearestNames } from "../../../model/nearest.ts";
import { sharedPart } from "../../shared-part.ts";
import { answersTo, type Unit } from "./list-units.ts";
import { sameValue } from "./same-value.ts";

export interface UnitPair {
  readonly before: Unit;
  readonly after: Unit;
}

export interface UnitPairs {
  /** Of one name. */
  readonly same: readonly UnitPair[];
  /** Of two names: the new one serves the old, or only looks like it. */
  readonly renamed: readonly UnitPair[];
  /** Gone, and a tool that was there before answers to its name. */
  readonly replaced: readonly UnitPair[];
  readonly removed: readonly Unit[];
  readonly added: readonly Unit[];
}

/** The units of two manifests, put together by name, else by alias, else by what they do. */
export function pairUnits(base: readonly Unit[], head: readonly Unit[]): UnitPairs {
  const byName = new Map(head.map((unit) => [unit.name, unit]));
  const same = base.flatMap((before) => {
    const after = byName.get(before.name);
    return after === undefined ? [] : [{ before, after }];
  });
  const removed = new Set(base.filter(({ name }) => !byName.has(name)));
  const known = new Set(base.map(({ name }) => name));
  const added = new Set(head.filter(({ name }) => !known.has(name)));
  const renamed: UnitPair[] = [];
  const take = (before: Unit, after: Unit) => {
    // An action by itself has a name that callers of its group do not see.
    (before.label === after.label ? same : renamed).push({ before, after });
    removed.delete(before);
    added.delete(after);
  };
  for (const before of removed) {
    const after = [...added].find((one) => answersTo(one, before) || answersTo(before, one));
    if (after !== undefined) take(before, after);
  }
  const replaced = [...removed].flatMap((before) => {
    const after = head.find((one) => answersTo(one, before));
    if (after === undefined) return [];
    removed.delete(before);
    return [{ before, after }];
  });
  for (const { before, after } of alikeUnits([...removed], [...added]))
    if (removed.has(before) && added.has(after)) take(before, after);
  return { same, renamed, replaced, removed: [...removed], added: [...added] };
}

/** Less alike than this is another tool. */
const ALIKE = 3;

/** Those that may be one under two names, the most alike first. */
function alikeUnits(removed: readonly Unit[], added: readonly Unit[]): readonly UnitPair[] {
  return removed
    .flatMap((before) => added.map((after) => ({ before, after, likeness: likenessOf(before, after) })))
    .filter(({ likeness }) => likeness >= ALIKE)
    .toSorted((a, b) => b.likeness - a.likeness);
}

function likenessOf(before: Unit, after: Unit): number {
  const operations = sharedPart(before.conduct.operations, after.conduct.operations);
  const { requests } = before.conduct;
  const isOneRequest = Object.keys(requests).length > 0 && sameValue(requests, after.conduct.requests);
  if (operations === 0 && !isOneRequest) return 0;
  return (
    2 * operations +
    inputOverlap(before, after) +
    2 * Number(isOneRequest) +
    Number(before.seen.description === after.seen.description) +
    Number(before.seen.title === after.seen.title) +
    Number(nearestNames(before.name, [after.name]).length > 0)
  );
}

/** From 0 to 1: how many of the names of either are those of both. */
export function inputOverlap(a: Unit, b: Unit): number {
  return sharedPart(namesOf(a), namesOf(b));
}

function namesOf({ seen }: Unit): readonly string[] {
  return Object.keys(seen.inputSchema.properties ?? {});
}
