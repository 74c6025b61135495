import { Decimal } from "decimal.js";
import { ExpressionFailed } from "../../model/errors.ts";
import { type Budget, spend, spendText } from "./budget.ts";
import { type JmesFunction, kindOf, type Reference } from "./function-types.ts";
import { areEqual, compareCodePoints } from "./read-values.ts";

const LIST = ["array"] as const;
const REFERENCE = ["reference"] as const;
const ORDERED = ["numbers", "strings"] as const;

/** JMESPath Community's functions on lists and objects. Sums and means are decimal, as money is. */
export const LIST_FUNCTIONS: Readonly<Record<string, JmesFunction>> = {
  avg: {
    takes: [["numbers"]],
    run: ([list]: [number[]]) => (list.length === 0 ? null : sum(list).div(list.length).toNumber()),
  },
  sum: { takes: [["numbers"]], run: ([list]: [number[]]) => sum(list).toNumber() },
  contains: { takes: [["string", "array"], ["any"]], run: contains },
  length: {
    takes: [["string", "array", "object"]],
    run: ([value]: [string | unknown[] | object], budget) => count(value, budget),
  },
  keys: { takes: [["object"]], run: ([object]: [object], budget) => touched(Object.keys(object), budget) },
  values: { takes: [["object"]], run: ([object]: [object], budget) => touched(Object.values(object), budget) },
  items: { takes: [["object"]], run: ([object]: [object], budget) => touched(Object.entries(object), budget) },
  from_items: { takes: [["arrays"]], run: fromItems },
  merge: { takes: [["object"]], variadic: true, run: merge },
  not_null: {
    takes: [["any"]],
    variadic: true,
    run: (given: unknown[]) => given.find((value) => value !== null) ?? null,
  },
  join: { takes: [["string"], ["strings"]], run: join },
  map: { takes: [REFERENCE, LIST], run: ([of, list]: [Reference, unknown[]]) => list.map((element) => of(element)) },
  group_by: { takes: [LIST, REFERENCE], run: groupBy },
  sort: { takes: [ORDERED], run: ([list]: [Key[]], budget) => touched([...list], budget).sort(compareKeys) },
  sort_by: {
    takes: [LIST, REFERENCE],
    run: ([list, by]: [unknown[], Reference]) =>
      keyed(list, by)
        .sort((a, b) => compareKeys(a.key, b.key))
        .map(elementOf),
  },
  max: { takes: [ORDERED], run: ([list]: [Key[]]) => furthest(list, 1, (key) => key) },
  min: { takes: [ORDERED], run: ([list]: [Key[]]) => furthest(list, -1, (key) => key) },
  max_by: {
    takes: [LIST, REFERENCE],
    run: ([list, by]: [unknown[], Reference]) => elementOf(furthest(keyed(list, by), 1, ({ key }) => key)),
  },
  min_by: {
    takes: [LIST, REFERENCE],
    run: ([list, by]: [unknown[], Reference]) => elementOf(furthest(keyed(list, by), -1, ({ key }) => key)),
  },
  reverse: { takes: [["string", "array"]], run: ([value]: [string | unknown[]], budget) => reverse(value, budget) },
  zip: { takes: [LIST], variadic: true, run: zip },
};

type Key = number | string;
interface Keyed {
  readonly key: Key;
  readonly element: unknown;
}

const elementOf = (one: Keyed | null): unknown => one?.element ?? null;

function touched<T>(list: T[], budget: Budget): T[] {
  spend(budget, list.length);
  return list;
}

function sum(list: readonly number[]): Decimal {
  return list.reduce((total, value) => total.plus(value), new Decimal(0));
}

function contains([where, wanted]: [string | unknown[], unknown], budget: Budget): boolean | null {
  if (Array.isArray(where)) return where.some((element) => areEqual(element, wanted, budget));
  spendText(budget, where.length);
  return typeof wanted === "string" ? where.includes(wanted) : null;
}

function count(value: string | unknown[] | object, budget: Budget): number {
  if (Array.isArray(value)) return value.length;
  if (typeof value !== "string") return touched(Object.keys(value), budget).length;
  spendText(budget, value.length);
  return [...value].length;
}

function fromItems([items]: [unknown[][]], budget: Budget): object {
  for (const item of touched(items, budget)) {
    if (item.length !== 2 || typeof item[0] !== "string")
      throw new ExpressionFailed("from_items() takes pairs of a text and a value.");
  }
  return Object.fromEntries(items as unknown as [string, unknown][]);
}

function merge(objects: object[], budget: Budget): object {
  return Object.fromEntries(objects.flatMap((object) => touched(Object.entries(object), budget)));
}

function join([between, texts]: [string, string[]], budget: Budget): string {
  spendText(
    budget,
    texts.reduce((total, text) => total + text.length + between.length, 0),
  );
  return texts.join(between);
}

function groupBy([list, by]: [unknown[], Reference]): object {
  const groups = new Map<string, unknown[]>();
  for (const element of list) {
    const key = by(element);
    if (typeof key !== "string") throw new ExpressionFailed(`group_by() takes texts to group by, not ${kindOf(key)}.`);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [element]);
    else group.push(element);
  }
  return Object.fromEntries(groups);
}

function keyed(list: unknown[], by: Reference): Keyed[] {
  const all = list.map((element) => ({ key: by(element), element }));
  const kind = kindOf(all[0]?.key);
  for (const { key } of all) {
    if ((kind !== "number" && kind !== "string") || kindOf(key) !== kind) {
      throw new ExpressionFailed(
        `Elements are ordered by numbers or by texts, all alike, not ${kind} and ${kindOf(key)}.`,
      );
    }
  }
  return all as Keyed[];
}

function compareKeys(left: Key, right: Key): number {
  return typeof left === "number" ? left - (right as number) : compareCodePoints(left, right as string);
}

function furthest<T>(list: readonly T[], direction: 1 | -1, keyOf: (element: T) => Key): T | null {
  let best: T | null = null;
  for (const element of list) {
    if (best === null || compareKeys(keyOf(element), keyOf(best)) * direction > 0) best = element;
  }
  return best;
}

function reverse(value: string | unknown[], budget: Budget): string | unknown[] {
  if (Array.isArray(value)) return touched([...value], budget).reverse();
  spendText(budget, value.length);
  return [...value].reverse().join("");
}

function zip(lists: unknown[][], budget: Budget): unknown[][] {
  const length = Math.min(...lists.map((list) => list.length));
  spend(budget, length * lists.length);
  return Array.from({ length }, (_, index) => lists.map((list) => list[index] ?? null));
}
