import { isJsonObject, type Json, ownValue } from "../../model/json.ts";
import { once } from "../../model/once.ts";
import type { OrderRule } from "../../model/shape.ts";
import { canonicalJson } from "../canonical-json.ts";
import { holds } from "../errors/holds.ts";
import type { Roots } from "../expressions/evaluate.ts";
import { findIdName } from "../list/identify-row.ts";
import type { Entry } from "./entry.ts";

export type OrderBy = OrderRule["by"];

type Key = readonly [rank: number, value: number | string];
const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;
/** Behind every other value, whatever the direction. */
const NOTHING = 9;

/** The columns of the first rule whose `when` holds, `...` unfolded to `spread`; undefined where none does. */
export function findOrder(rules: readonly OrderRule[], spread: readonly string[], roots: Roots): OrderBy | undefined {
  const rule = rules.find(({ when }) => !when || holds(when, roots, roots));
  return rule?.by.flatMap((one) =>
    one.column === "..." ? spread.map((column) => ({ column, descending: one.descending })) : [one],
  );
}

/**
 * The rows in that order, which is total, so that another call finds it again: equal rows stand in the order of the ID of the upstream's row, else of
 * the JSON of what is shown of it. Nulls last in both directions; numbers, and texts that are numbers, by value and before other texts; texts by their
 * characters' codes.
 */
export function orderRows(entries: readonly Entry[], by: OrderBy): readonly Entry[] {
  const sources = entries.map(({ source }) => source);
  return firstRows(entries, by, sources, entries.length);
}

/** The first so many of the rows in that order; of the others nothing is kept. `sources` are those of all. */
export function firstRows(
  entries: Iterable<Entry>,
  by: OrderBy,
  sources: readonly Json[],
  most: number,
): readonly Entry[] {
  const tie = openTie(sources);
  const compare = (a: Keyed, b: Keyed) => compareAll(a.keys, b.keys, by) || tie(a.entry, b.entry);
  const kept: Keyed[] = [];
  let last: Keyed | undefined;
  for (const entry of entries) {
    const one = { entry, keys: by.map(({ column }) => keyOf(cellOf(entry.row, column))) };
    // Of many rows nearly all come behind those that are kept, and need not be sorted.
    if (last !== undefined && compare(one, last) >= 0) continue;
    kept.push(one);
    if (kept.length < 2 * most + FURTHER) continue;
    kept.sort(compare).length = most;
    last = kept.at(-1);
  }
  return kept
    .sort(compare)
    .slice(0, most)
    .map(({ entry }) => entry);
}

interface Keyed {
  readonly entry: Entry;
  readonly keys: readonly Key[];
}

/** So many rows are sorted at once at least. */
const FURTHER = 1_000;

function openTie(sources: readonly Json[]): (a: Entry, b: Entry) => number {
  const nameOnce = once(() => findIdName(sources));
  const keys = new Map<Entry, Key>();
  const tieOf = (entry: Entry): Key => {
    const known = keys.get(entry);
    if (known) return known;
    const name = nameOnce();
    const key: Key = name === undefined ? [2, canonicalJson(shownOf(entry))] : keyOf(cellOf(entry.source, name));
    keys.set(entry, key);
    return key;
  };
  return (a, b) => compareKeys(tieOf(a), tieOf(b));
}

/** Of a row what its columns have, for of a large one there may be no more; of a group what its rows have in common. */
function shownOf({ source, row, size }: Entry): Json {
  return size === undefined ? row : source;
}

function compareAll(a: readonly Key[], b: readonly Key[], by: OrderBy): number {
  for (let index = 0; index < by.length; index += 1) {
    const first = a[index]!;
    const second = b[index]!;
    if (first[0] === NOTHING || second[0] === NOTHING) {
      if (first[0] !== second[0]) return first[0] - second[0];
      continue;
    }
    const way = compareKeys(first, second);
    if (way !== 0) return by[index]!.descending ? -way : way;
  }
  return 0;
}

function compareKeys(a: Key, b: Key): number {
  if (a[0] !== b[0]) return a[0] - b[0];
  return a[1] < b[1] ? -1 : a[1] > b[1] ? 1 : 0;
}

function keyOf(cell: Json): Key {
  if (cell === null) return [NOTHING, 0];
  if (typeof cell === "boolean") return [0, Number(cell)];
  if (typeof cell === "number") return [1, cell];
  if (typeof cell !== "string") return [3, JSON.stringify(cell)];
  return NUMBER.test(cell) ? [1, Number(cell)] : [2, cell];
}

function cellOf(row: Json, column: string): Json {
  return isJsonObject(row) ? (ownValue(row, column) ?? null) : null;
}
