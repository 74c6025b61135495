import type { PagePlan } from "../../model/call.ts";
import type { Json } from "../../model/json.ts";
import type { Totals } from "../../model/shape.ts";
import { openPages } from "../pages/open-pages.ts";
import { firstPage } from "../pages/page-styles.ts";
import { isStated, type PagesRead } from "./read-aggregate.ts";
import type { TotalOptions } from "./read-total.ts";
import { tryExpression } from "./try-expression.ts";

/** An aggregate of more pages is no aggregate. */
const MOST_PAGES = 10;

/**
 * The bodies of an aggregate that has pages. Its rows are the values that it gives; one number stands for all of a page, whose rows are then those
 * of the list where the operation is the same: else nobody knows whether another page follows, unless the upstream says so.
 */
export async function readBodies(
  { call, value }: Extract<Totals, { kind: "aggregate" }>,
  plan: PagePlan,
  { send, roots, shape, call: list }: Pick<TotalOptions, "send" | "roots" | "shape" | "call">,
): Promise<PagesRead> {
  const rowsOf = (body: Json): readonly Json[] | undefined => {
    const given = tryExpression(value, body, roots);
    const found =
      Array.isArray(given) || call.operation !== list?.operation ? given : tryExpression(shape.rows, body, roots);
    return Array.isArray(found) ? found : undefined;
  };
  const look = (body: Json) => {
    const rows = rowsOf(body);
    return { rows: rows ?? [], count: rows?.length, counted: false, ...lastOf(rows ?? []) };
  };
  const read = openPages({ call, look, roots }, plan, send);
  const size = plan.sizeFixed ?? plan.sizeMax;
  const sized = size === undefined ? {} : { size };
  const bodies: Json[] = [];
  let page = await read({ cursor: firstPage(plan), ...sized });
  while (page !== undefined) {
    // Beyond the last page there is nothing to add.
    if (bodies.length > 0 && page.count === 0 && page.next === undefined) return { bodies, whole: !page.unreachable };
    if (bodies.length === MOST_PAGES) return { bodies, whole: false };
    bodies.push(page.body);
    if (page.next === undefined) return { bodies, whole: !page.unreachable && page.cut === undefined };
    // What is no list cannot be added up over pages, and what the upstream states is the same on each.
    const isList = Array.isArray(tryExpression(value, page.body, roots));
    if (page.count === undefined || (bodies.length > 1 && !isList) || isStated(value, bodies, roots))
      return { bodies, whole: false };
    page = await read({ cursor: page.next, ...sized }, !page.certain);
  }
  return { bodies, whole: bodies.length > 0 };
}

function lastOf(rows: readonly Json[]): { readonly last?: Json } {
  const last = rows.at(-1);
  return last === undefined ? {} : { last };
}
