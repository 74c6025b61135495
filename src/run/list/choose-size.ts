import type { PagePlan } from "../../model/call.ts";

/** Of a range, where nobody says how many rows are wanted. */
const RANGE = 100;

/** What there is to say how many rows a page should have. */
export interface SizeWanted {
  /** Rows that are still to be read, where they are limited: more than will be shown, so that the end is noticed. */
  readonly wanted?: number;
  /** The highest limit of the tool: the upstream may refuse more, where nobody says what it gives. */
  readonly most?: number;
}

/** How many rows to ask for at once; undefined where the upstream is not told. */
export function chooseSize({ sizeFixed, sizeMax, style }: PagePlan, { wanted, most }: SizeWanted): number | undefined {
  if (sizeFixed !== undefined) return sizeFixed;
  const bound = sizeMax ?? most;
  if (wanted === undefined) return sizeMax ?? (style === "range" ? RANGE : undefined);
  return bound === undefined ? wanted : Math.min(bound, wanted);
}

/** Rows are counted one by one, or the list goes on behind any row: each request may have a size of its own. */
export function isFreeOfPages({ style }: PagePlan): boolean {
  return style === "offset" || style === "range" || style === "last";
}

/** Whether the upstream itself says that a page is not the last; else one row more than wanted tells. */
export function saysMore({ style, more }: PagePlan): boolean {
  return more !== undefined || style === "token" || style === "link";
}
