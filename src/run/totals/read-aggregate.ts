import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type Json, ownValue } from "../../model/json.ts";
import type { Totals } from "../../model/shape.ts";
import type { Expression } from "../../model/value.ts";
import type { Roots } from "../expressions/evaluate.ts";
import { addUp, type Term } from "./add-up.ts";
import { readAmount } from "./read-amount.ts";
import { nameUnit, unitReader } from "./read-unit.ts";
import { tellCaveats } from "./tell-caveats.ts";
import { type TotalRead, withhold } from "./total-read.ts";
import { tryExpression } from "./try-expression.ts";

type Aggregate = Extract<Totals, { kind: "aggregate" }>;

/** The answers to one call, page after page. */
export interface PagesRead {
  readonly bodies: readonly Json[];
  /** No page is left. */
  readonly whole: boolean;
}

/** A path of names alone reads what the upstream states; anything else may add up what stands on one page. */
const STATED = /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/;

/** The total that the answers to the aggregate give: one number, or one a unit. Pages of values are added up where all were read. */
export function readAggregate(totals: Aggregate, { bodies, whole }: PagesRead, roots: Roots): TotalRead {
  const given = bodies.map((body) => tryExpression(totals.value, body, roots));
  const stated = isStated(totals.value, bodies, roots);
  if (!stated && !whole) return partialPages(bodies.length);
  if (!stated && bodies.length > 1 && !given.every(Array.isArray)) return partialPages(bodies.length);
  const unitOf = totals.unit && unitReader(totals.unit, roots);
  const terms = (stated ? bodies.slice(0, 1) : bodies).flatMap((body, page) => readValues(given[page], unitOf?.(body)));
  if (terms.some(({ amount }) => amount === undefined)) return badValue(totals);
  const sums = addUp(terms);
  return {
    kind: "values",
    values: [...sums.units].map(([unit, { sum }]) => ({ unit, amount: sum })),
    caveats: tellCaveats(totals.caveats, bodies, roots),
  };
}

/** Whether the value is what the upstream itself says of the whole: the same on each of these pages. */
export function isStated(value: Expression, bodies: readonly Json[], roots: Roots): boolean {
  if (!STATED.test(value.jmespath.trim())) return false;
  const [first, ...others] = bodies.map((body) => tryExpression(value, body, roots));
  // A list may be one page of several, until a second one is seen to say the same.
  if (others.length === 0) return !Array.isArray(first);
  return others.every((one) => isDeepStrictEqual(one, first));
}

/** A number, or a list of numbers or `{value, unit}`; `unit` is that of the whole total, where the curation says it. */
function readValues(given: Json | undefined, unit: string | undefined): Term[] {
  const list: readonly Json[] | undefined = Array.isArray(given) ? given : given === undefined ? undefined : [given];
  if (list === undefined) return [{ amount: undefined, unit }];
  // A sum over nothing is null in SQL.
  if (list.every((one) => one === null || (isJsonObject(one) && ownValue(one, "value") === null))) return [];
  return list.map((one) => readValue(one, unit));
}

function readValue(given: Json, unit: string | undefined): Term {
  if (!isJsonObject(given)) return { amount: readAmount(given), unit };
  return { amount: readAmount(ownValue(given, "value")), unit: nameUnit(ownValue(given, "unit")) ?? unit };
}

function partialPages(pages: number): TotalRead {
  const read = pages === 1 ? "one page of it was" : `${pages} pages of it were`;
  return withhold(
    "PARTIAL_PAGES",
    `The total has more pages than can be added up: ${read} read. Narrow the arguments.`,
  );
}

function badValue({ measure, value }: Aggregate): TotalRead {
  return withhold(
    "BAD_ROWS",
    `The upstream's total of \`${measure}\` at \`${value.jmespath.slice(0, 100)}\` is no number that can be trusted.`,
  );
}
