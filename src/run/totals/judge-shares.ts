import { Decimal } from "decimal.js";
import type { JsonObject } from "../../model/json.ts";
import { NOTHING_ADDED, type UnitSum } from "./add-up.ts";
import { type Amount, areSame, Exact, roundAmount, writeAmount, ZERO } from "./read-amount.ts";
import type { RowFacts } from "./row-facts.ts";
import { tellBad } from "./settle-units.ts";
import type { CaveatShown } from "./total-read.ts";

/** What can be said of the rows beside a total in one unit. */
export interface Shares {
  /** Keys of the summary, behind `total`. */
  readonly keys: JsonObject;
  readonly caveats: readonly CaveatShown[];
  /** The rest, as printed; absent where it means nothing. Without a percentage where shares mean nothing. */
  readonly other?: { readonly sum: Decimal; readonly pct?: Decimal };
  /** As printed. */
  readonly pct?: number;
}

const Ratio = Decimal.clone({ precision: 50, rounding: Decimal.ROUND_HALF_UP });
const HUNDRED = new Exact(100);
/** Not all is shown: then `100` would say too much. */
const ALMOST = new Exact("99.99");

/** Compares the sum of the rows shown, and of all rows where they are known, with the true total. */
export function judgeShares(total: Amount, unit: string | undefined, facts: RowFacts): Shares {
  const { measure, round, shown } = facts;
  if (!facts.additive) return { keys: {}, caveats: [caveat("NOT_ADDITIVE", "Values of rows may not be added up.")] };
  const all = facts.known && facts.known.bad === 0 ? sumOf(facts.known, unit) : undefined;
  const gross = all && isMixed(all) ? { gross: writeGross(all, round) } : {};
  if (shown.bad > 0)
    return { keys: gross, caveats: [caveat("BAD_ROWS", `${tellBad(measure, shown.bad, shown.rows)} shown.`)] };
  const part = sumOf(shown, unit);
  const returned = { sumReturned: writeAmount(part.sum.exact, round) };
  if (all && !agrees(all, total)) return reconcile(total, all, { ...returned, ...gross }, facts);
  const seen = all ?? (facts.part ? sumOf(facts.part, unit) : part);
  const why = whyNoShares(total, part, seen, facts);
  if (why !== undefined) {
    const other = why.code === "MIXED_SIGNS" && total.exact.gt(0) ? { other: { sum: restOf(total, part, round) } } : {};
    return { keys: { ...returned, ...gross }, caveats: shown.rows > 0 ? [why] : [], ...other };
  }
  return shareOut(total, part, facts);
}

/** An upstream that adds many doubles up is off by about a unit in the last place for each: numbers of that many digits were made so. */
const DRIFT = new Exact("1e-12");

function agrees({ sum, positive, negative }: UnitSum, total: Amount): boolean {
  if (areSame(sum, total)) return true;
  const drift = positive.minus(negative).times(DRIFT);
  const isMadeSo = !total.slack.isZero() || !sum.slack.isZero();
  return isMadeSo && sum.exact.minus(total.exact).abs().lte(drift);
}

function whyNoShares(total: Amount, part: UnitSum, known: UnitSum, { measure }: RowFacts): CaveatShown | undefined {
  if (isMixed(known) || (part.sum.exact.lt(0) && total.exact.gt(0)))
    return caveat("MIXED_SIGNS", `Some \`${measure}\` is negative, so shares of the total would mislead.`);
  if (total.exact.lte(0)) return caveat("UNDEFINED_RATIO", "There are no shares of a total that is not above zero.");
  if (part.sum.exact.gt(total.exact) && !agrees(part, total))
    return caveat(
      "OVERLAPPING_GROUPS",
      "The rows shown are more than the total: they overlap, or others are negative.",
    );
  return undefined;
}

/** Shares of what is printed: `sumReturned` and the rest give the total, their percentages 100, digit by digit. */
function shareOut(total: Amount, part: UnitSum, { round, remains }: RowFacts): Shares {
  const sum = roundAmount(part.sum.exact, round);
  const rest = !remains && agrees(part, total) ? ZERO.exact : Exact.max(restOf(total, part, round), 0);
  const share = new Exact(new Ratio(part.sum.exact).div(total.exact).times(100).toDecimalPlaces(2));
  const pct = rest.isZero() ? Exact.min(share, HUNDRED) : Exact.min(share, ALMOST);
  return {
    keys: { sumReturned: writeAmount(sum), pctOfTotalShown: pct.toNumber() },
    caveats: [],
    other: { sum: rest, pct: HUNDRED.minus(pct) },
    pct: pct.toNumber(),
  };
}

/** With it the parts that are printed give the total that is printed. */
function restOf(total: Amount, part: UnitSum, round: number | undefined): Decimal {
  return roundAmount(total.exact, round).minus(roundAmount(part.sum.exact, round));
}

function reconcile(total: Amount, all: UnitSum, keys: JsonObject, { round, known }: RowFacts): Shares {
  const difference = total.exact.minus(all.sum.exact);
  const isLost = round !== undefined && difference.toDecimalPlaces(round).isZero();
  const note = `All ${known?.rows} rows were added up, and the total is another: see sumOfRows and difference.`;
  return {
    keys: {
      ...keys,
      sumOfRows: writeAmount(all.sum.exact, isLost ? undefined : round),
      difference: writeAmount(difference, isLost ? undefined : round),
    },
    caveats: [caveat("RECONCILE_DIFF", note)],
  };
}

function sumOf(
  { units }: { readonly units: ReadonlyMap<string | undefined, UnitSum> },
  unit: string | undefined,
): UnitSum {
  // Rows whose unit nobody declared are in that of the total.
  return units.get(unit) ?? units.get(undefined) ?? NOTHING_ADDED;
}

function isMixed({ positive, negative }: UnitSum): boolean {
  return positive.gt(0) && negative.lt(0);
}

function writeGross({ positive, negative }: UnitSum, round: number | undefined): JsonObject {
  return { positive: writeAmount(positive, round), negative: writeAmount(negative, round) };
}

function caveat(code: string, note: string): CaveatShown {
  return { code, note };
}
