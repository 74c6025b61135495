import { isJsonObject, type Json } from "../../model/json.ts";
import type { Totals } from "../../model/shape.ts";
import { holds } from "../errors/holds.ts";
import type { Roots } from "../expressions/evaluate.ts";
import { readAmount } from "./read-amount.ts";
import { type TotalRead, withhold } from "./total-read.ts";
import { tryExpression } from "./try-expression.ts";

/** How deep beside the rows a body is searched for a word on its count. */
const DEEPEST = 3;

/**
 * The count that the upstream states beside its rows, on the first page that was read; it is exact unless the curation or a page itself says
 * otherwise.
 */
export function readCount(
  totals: Extract<Totals, { kind: "count" }>,
  bodies: readonly [Json, ...Json[]],
  roots: Roots,
): TotalRead {
  const given = tryExpression(totals.count, bodies[0], roots);
  if (given === null || given === undefined)
    return withhold("BAD_ROWS", `The upstream states no count at \`${totals.count.jmespath}\` in this answer.`);
  const count = readAmount(given)?.exact;
  if (count === undefined || !count.isInteger() || count.lt(0) || !Number.isSafeInteger(count.toNumber()))
    return withhold("BAD_ROWS", `What the upstream states as the count at \`${totals.count.jmespath}\` is no count.`);
  const { exactWhen } = totals;
  // Some upstreams state their count, and whether it is exact, on the first page alone.
  const states = (body: Json) => (tryExpression(totals.count, body, roots) ?? null) !== null;
  const isExact = bodies.every((body) => exactWhen === undefined || !states(body) || holds(exactWhen, body, roots));
  return { kind: "count", count: count.toNumber(), exact: isExact && !bodies.some((body) => isBound(body, DEEPEST)) };
}

/** Elasticsearch's `relation: gte` and GitHub's `incomplete_results` say that a count is only a bound. */
function isBound(value: Json, depth: number): boolean {
  if (!isJsonObject(value) || depth === 0) return false;
  return Object.entries(value).some(([name, inside]) => {
    if (/^incomplete_?results$/i.test(name) && inside === true) return true;
    if (name === "relation" && (inside === "gte" || inside === "gt")) return true;
    return isBound(inside, depth - 1);
  });
}
