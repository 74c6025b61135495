import { Decimal } from "decimal.js";
import type { Json } from "../../model/json.ts";

/** Any two doubles can be added without loss: the largest has 309 digits, the smallest begins at the 324th decimal place. */
export const Exact = Decimal.clone({
  precision: 1_000,
  rounding: Decimal.ROUND_HALF_UP,
  toExpNeg: -400,
  toExpPos: 400,
});

/** A number as it stands in a row or an answer. */
export interface Amount {
  readonly exact: Decimal;
  /** How far from it the true value may be: zero, but for a JSON number of so many digits that it was rounded already. */
  readonly slack: Decimal;
}

const DECIMAL = /^-?\d+(\.\d+)?$/;
/** Longer texts are no amounts that anyone meant. */
const LONGEST = 80;
/** A double holds every decimal of so many digits exactly (IEEE 754 binary64). */
const SAFE_DIGITS = 15;
const HALF_ULP = new Exact(2).pow(-53);

export const ZERO: Amount = { exact: new Exact(0), slack: new Exact(0) };

/** The amount of a JSON number or a strict decimal text; undefined for anything else: nothing, `1,234.5`, `NaN`, `1e400`. */
export function readAmount(value: Json | undefined): Amount | undefined {
  if (typeof value === "string") {
    if (value.length > LONGEST || !DECIMAL.test(value)) return undefined;
    return { exact: new Exact(value), slack: ZERO.slack };
  }
  if (typeof value !== "number" || !Number.isFinite(value)) return undefined;
  const exact = new Exact(value);
  return { exact, slack: exact.precision() < SAFE_DIGITS ? ZERO.slack : exact.abs().times(HALF_ULP) };
}

export function addAmounts(a: Amount, b: Amount): Amount {
  return { exact: a.exact.plus(b.exact), slack: b.slack === ZERO.slack ? a.slack : a.slack.plus(b.slack) };
}

/** The amount with its decimal point so many places further to the left. */
export function shiftAmount({ exact, slack }: Amount, places: number): Amount {
  const unit = new Exact(10).pow(-places);
  return { exact: exact.times(unit), slack: slack.times(unit) };
}

/** Whether two amounts may be the same number: they are, digit by digit, where both came exact. */
export function areSame(a: Amount, b: Amount): boolean {
  return a.exact.minus(b.exact).abs().lte(a.slack.plus(b.slack));
}

/** Nobody reads more decimal places, and a sum of very small numbers may have hundreds. */
const MOST_PLACES = 20;

export function roundAmount(exact: Decimal, places = MOST_PLACES): Decimal {
  return exact.toDecimalPlaces(places);
}

/** Rounded once, for display: a JSON number, or a text where no JSON number has these digits. */
export function writeAmount(exact: Decimal, places?: number): Json {
  const rounded = roundAmount(exact, places);
  const number = rounded.toNumber();
  return new Exact(number).eq(rounded) ? number + 0 : rounded.toFixed();
}
