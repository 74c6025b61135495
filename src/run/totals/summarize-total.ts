import type { Json, JsonObject } from "../../model/json.ts";
import { judgeShares, type Shares } from "./judge-shares.ts";
import { writeAmount } from "./read-amount.ts";
import { unitKey } from "./read-unit.ts";
import type { RowFacts } from "./row-facts.ts";
import { settleUnits } from "./settle-units.ts";
import { summarizeCount } from "./summarize-count.ts";
import type { CaveatShown, TotalRead, UnitAmount } from "./total-read.ts";

/** What a list says of the whole behind it, for the rows that it shows. */
export interface Summarized {
  readonly summary: JsonObject;
  readonly other?: JsonObject;
  /** The percentages of the total shown, for the note. */
  readonly shares: readonly { readonly unit: string | undefined; readonly pct: number }[];
  /** How many rows there are, where that is known exactly. */
  readonly count?: number;
  /** What the aggregate tells of an empty list. */
  readonly total?: "none" | "zero" | "some";
}

/** The summary of a list's reply (contract section 5). Pure. */
export function summarizeTotal(total: TotalRead, given: RowFacts): Summarized {
  // A walk has read every row, also those that the list has not.
  const facts = total.kind === "rows" ? { ...given, known: total.sums } : given;
  const returned = facts.shown.rows;
  if (total.kind === "withheld") return { summary: { returned, totalWithheld: { ...total.withheld } }, shares: [] };
  if (total.kind === "count") return summarizeCount(total, facts);
  const settled = isSearched(total, facts) ? POST_FILTERED : settleUnits(total, facts);
  if ("code" in settled)
    return { summary: { returned, totalWithheld: { ...settled }, ...shownCaveats(total.caveats) }, shares: [] };
  const { amounts } = settled;
  if (amounts.length > 1) return summarizeUnits(amounts, total.caveats, facts);
  return summarizeOne(amounts[0], total.caveats, facts);
}

const POST_FILTERED = {
  code: "POST_FILTERED",
  reason: "The total counts rows that the search left out. Search for nothing to get it.",
} as const;

function isSearched({ kind }: TotalRead, { searched }: RowFacts): boolean {
  return searched !== undefined && kind !== "list";
}

function summarizeOne(value: UnitAmount | undefined, caveats: readonly CaveatShown[], facts: RowFacts): Summarized {
  const { measure, round, shown } = facts;
  const tail = { returned: shown.rows, measure };
  if (value === undefined) return { summary: { ...tail, ...shownCaveats(caveats) }, shares: [], total: "none" };
  const { unit, amount } = value;
  const shares = judgeShares(amount, unit, facts);
  const other = otherOf(shares, facts);
  return {
    summary: {
      total: writeAmount(amount.exact, round),
      ...shares.keys,
      ...(unit !== undefined && { [unitKey(unit)]: unit }),
      ...tail,
      ...shownCaveats([...caveats, ...shares.caveats]),
    },
    ...(other && { other }),
    shares: shares.pct === undefined ? [] : [{ unit: undefined, pct: shares.pct }],
    total: amount.exact.isZero() ? "zero" : "some",
  };
}

function summarizeUnits(amounts: readonly UnitAmount[], caveats: readonly CaveatShown[], facts: RowFacts): Summarized {
  const { measure, round, shown, declared } = facts;
  const sorted = amounts.toSorted((a, b) => ((a.unit ?? "") < (b.unit ?? "") ? -1 : 1));
  const unclear: Shares = { keys: {}, caveats: [{ code: "MIXED_CURRENCY", note: "The rows do not say their units." }] };
  const judged = sorted.map(({ unit, amount }) => ({
    unit,
    amount,
    shares: declared ? judgeShares(amount, unit, facts) : unclear,
  }));
  const totals = judged.map(({ unit, amount, shares }): JsonObject => {
    const named = unit === undefined ? {} : { [unitKey(unit)]: unit };
    return { measure, ...named, total: writeAmount(amount.exact, round), ...shares.keys };
  });
  return {
    summary: {
      returned: shown.rows,
      totals,
      ...shownCaveats([...caveats, ...judged.flatMap(({ shares }) => shares.caveats)]),
    },
    shares: judged.flatMap(({ unit, shares: { pct } }) => (pct === undefined ? [] : [{ unit, pct }])),
    total: amounts.every(({ amount }) => amount.exact.isZero()) ? "zero" : "some",
  };
}

/** The rest is told once, with the first rows, and only where it is something. */
function otherOf({ other }: Shares, { first, remains }: RowFacts): JsonObject | undefined {
  if (!other || !first || !remains || other.sum.isZero()) return undefined;
  return { sum: writeAmount(other.sum), ...(other.pct !== undefined && { pct: other.pct.toNumber() }) };
}

/** One a code: the author's own words come first. */
function shownCaveats(caveats: readonly CaveatShown[]): { readonly caveats?: readonly Json[] } {
  const byCode = new Map<string, CaveatShown>();
  for (const one of caveats) if (!byCode.has(one.code)) byCode.set(one.code, one);
  return byCode.size === 0 ? {} : { caveats: [...byCode.values()].map(({ code, note }) => ({ code, note })) };
}
