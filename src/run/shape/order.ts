import { isJsonObject, type Json, ownValue } from "../../model/json.ts";
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
 * its JSON. Nulls last in both directions; numbers, and texts that are numbers, by value and before other texts; texts by their characters' codes.
 */
export function orderRows(entries: readonly Entry[], by: OrderBy): readonly Entry[] {
  const tie = openTie(entries.map(({ source }) => source));
  const keyed = entries.map((entry) => ({ entry, keys: by.map(({ column }) => keyOf(cellOf(entry.row, column))) }));
  keyed.sort((a, b) => compareAll(a.keys, b.keys, by) || tie(a.entry.source, b.entry.source));
  return keyed.map(({ entry }) => entry);
}

function openTie(sources: readonly Json[]): (a: Json, b: Json) => number {
  const name = findIdName(sources);
  const keys = new Map<Json, Key>();
  const tieOf = (source: Json): Key => {
    const known = keys.get(source);
    if (known) return known;
    const key: Key = name === undefined ? [2, canonicalJson(source)] : keyOf(cellOf(source, name));
    keys.set(source, key);
    return key;
  };
  return (a, b) => compareKeys(tieOf(a), tieOf(b));
}

function compareAll(a: readonly Key[], b: readonly Key[], by: OrderBy): number {
  for (const [index, { descending }] of by.entries()) {
    const [first, second] = [a[index]!, b[index]!];
    if (first[0] === NOTHING || second[0] === NOTHING) {
      if (first[0] !== second[0]) return first[0] - second[0];
      continue;
    }
    const way = compareKeys(first, second);
    if (way !== 0) return descending ? -way : way;
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
