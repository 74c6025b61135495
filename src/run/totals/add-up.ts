import type { Decimal } from "decimal.js";
import { type Amount, addAmounts, ZERO } from "./read-amount.ts";

/** The measure of one row; `amount` is undefined where it has none, or one that is no number. */
export interface Term {
  readonly amount: Amount | undefined;
  readonly unit: string | undefined;
}

export interface UnitSum {
  readonly sum: Amount;
  readonly positive: Decimal;
  readonly negative: Decimal;
}

export interface Sums {
  readonly rows: number;
  /** Rows without a number; they are in no sum. */
  readonly bad: number;
  /** By unit; undefined for rows that say none. */
  readonly units: ReadonlyMap<string | undefined, UnitSum>;
}

export const NOTHING_ADDED: UnitSum = { sum: ZERO, positive: ZERO.exact, negative: ZERO.exact };

/** Adds in decimals, each unit for itself: the order of the terms never shows. */
export function addUp(terms: Iterable<Term>): Sums {
  const units = new Map<string | undefined, UnitSum>();
  let [rows, bad] = [0, 0];
  for (const { amount, unit } of terms) {
    rows += 1;
    const before = units.get(unit) ?? NOTHING_ADDED;
    if (!amount) bad += 1;
    units.set(unit, amount ? addOne(before, amount) : before);
  }
  return { rows, bad, units };
}

function addOne({ sum, positive, negative }: UnitSum, amount: Amount): UnitSum {
  const { exact } = amount;
  const added = addAmounts(sum, amount);
  // Nearly always all have one sign, and are added up once.
  const addTo = (part: Decimal) => (part === sum.exact ? added.exact : part.plus(exact));
  return {
    sum: added,
    positive: exact.isPositive() && !exact.isZero() ? addTo(positive) : positive,
    negative: exact.isNegative() && !exact.isZero() ? addTo(negative) : negative,
  };
}
