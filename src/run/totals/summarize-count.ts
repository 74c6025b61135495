import type { RowFacts } from "./row-facts.ts";
import type { Summarized } from "./summarize-total.ts";
import type { TotalRead, Withheld } from "./total-read.ts";

/** The summary of a list whose upstream states how many rows there are. */
export function summarizeCount(given: Extract<TotalRead, { kind: "count" }>, facts: RowFacts): Summarized {
  const { shown, seen, searched, known, grouped } = facts;
  const measure = grouped ? "rows before grouping" : "rows";
  const returned = shown.rows;
  if (searched !== undefined) {
    // All rows were searched, so those that match were counted by us.
    if (known) return { summary: { total: searched, returned, measure }, count: searched, shares: [] };
    return withheld({ code: "POST_FILTERED", reason: "The count has rows that the search left out." }, returned);
  }
  const { count } = given;
  if (count < seen)
    return withheld(
      { code: "RECONCILE_DIFF", reason: `The upstream counts ${count} rows and gave ${seen}.` },
      returned,
    );
  if (!given.exact) {
    const reason = "The upstream says that its count is only a lower bound. Narrow the arguments to get an exact one.";
    const totalWithheld = { code: "TOTAL_IS_BOUND", reason };
    return { summary: { atLeast: count, returned, measure, totalWithheld }, shares: [] };
  }
  const caveats =
    known && count > seen
      ? { caveats: [{ code: "RECONCILE_DIFF", note: `The upstream counts ${count} rows and gave only ${seen}.` }] }
      : {};
  return { summary: { total: count, returned, measure, ...caveats }, ...(grouped ? {} : { count }), shares: [] };
}

function withheld(totalWithheld: Withheld, returned: number): Summarized {
  return { summary: { returned, totalWithheld: { ...totalWithheld } }, shares: [] };
}
