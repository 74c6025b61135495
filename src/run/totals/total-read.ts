import type { Sums } from "./add-up.ts";
import type { Amount } from "./read-amount.ts";

/** Why a total is withheld (contract section 5). */
export type WithheldCode =
  | "BAD_ROWS"
  | "MIXED_CURRENCY"
  | "MIXED_UNITS"
  | "NOT_ADDITIVE"
  | "PARTIAL_PAGES"
  | "PART_FAILED"
  | "POST_FILTERED"
  | "RECONCILE_DIFF"
  | "SNAPSHOT_DRIFT"
  | "TOTAL_IS_BOUND";

export interface Withheld {
  readonly code: WithheldCode;
  /** Whole sentences; how to get the total too, where there is a way. */
  readonly reason: string;
}

export interface CaveatShown {
  readonly code: string;
  readonly note: string;
}

/** What was found out of the true total; it knows nothing of the rows that are shown. */
export type TotalRead =
  | { readonly kind: "withheld"; readonly withheld: Withheld }
  /** What the upstream says, one value a unit; none where it has nothing to add up. */
  | { readonly kind: "values"; readonly values: readonly UnitAmount[]; readonly caveats: readonly CaveatShown[] }
  /** Every row was read for it, and added up. */
  | (OfRows & { readonly kind: "rows"; readonly sums: Sums })
  /** The rows of the list itself, all of which were read, are what is to be added up. */
  | (OfRows & { readonly kind: "list" })
  | { readonly kind: "count"; readonly count: number; readonly exact: boolean };

export interface OfRows {
  /** Of the whole total, where the rows say none. */
  readonly unit?: string;
  readonly caveats: readonly CaveatShown[];
}

export interface UnitAmount {
  /** A currency by its ISO 4217 code in capitals, or another unit as it is written; undefined where none is said. */
  readonly unit: string | undefined;
  readonly amount: Amount;
}

/** Rows moved between the pages that are to be added up. */
export function withholdMoved(): Extract<TotalRead, { kind: "withheld" }> {
  const reason = "Rows moved while the pages were read, so some may be missing or counted twice. Call again to get it.";
  return withhold("SNAPSHOT_DRIFT", reason);
}

export function withhold(code: WithheldCode, reason: string): Extract<TotalRead, { kind: "withheld" }> {
  return { kind: "withheld", withheld: { code, reason } };
}
