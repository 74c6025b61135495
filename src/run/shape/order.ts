import { isJsonObject, type Json, ownValue } from "../../model/json.ts";
import type { OrderRule } from "../../model/tool.ts";
import { holds } from "../errors/holds.ts";
import type { Roots } from "../expressions/evaluate.ts";

type Key = readonly [rank: number, value: number | string];
const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;
/** Behind every other value, whatever the direction. */
const NOTHING = 9;

/**
 * The rows in the order of the first rule whose `when` holds, or as they are where none does. Stable; nulls last in both directions;
 * numbers, and texts that are numbers, by value and before other texts; texts by their characters' codes; `...` stands for `spread`.
 */
export function orderRows(
  rows: readonly Json[],
  rules: readonly OrderRule[],
  spread: readonly string[],
  roots: Roots,
): readonly Json[] {
  const rule = rules.find(({ when }) => !when || holds(when, roots, roots));
  if (!rule) return rows;
  const by = rule.by.flatMap((one) =>
    one.column === "..." ? spread.map((column) => ({ column, descending: one.descending })) : [one],
  );
  const keyed = rows.map((row) => ({ row, keys: by.map(({ column }) => keyOf(cellOf(row, column))) }));
  keyed.sort((a, b) => compareAll(a.keys, b.keys, by));
  return keyed.map(({ row }) => row);
}

function compareAll(a: readonly Key[], b: readonly Key[], by: readonly { readonly descending: boolean }[]): number {
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
