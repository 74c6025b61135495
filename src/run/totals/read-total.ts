import type { Call } from "../../model/call.ts";
import type { Json } from "../../model/json.ts";
import type { Shape, Totals } from "../../model/shape.ts";
import type { Expression } from "../../model/value.ts";
import type { Ask, Asking } from "../exchange/ask-upstream.ts";
import type { Roots } from "../expressions/evaluate.ts";
import type { ListRead } from "../list/list-read.ts";
import { findRows } from "../shape/find-rows.ts";
import type { Column } from "../shape/list-columns.ts";
import { askAggregate } from "./ask-aggregate.ts";
import { bodiesOf } from "./bodies-of.ts";
import { isAll } from "./is-all.ts";
import { isStated, readAggregate } from "./read-aggregate.ts";
import { readCount } from "./read-count.ts";
import { type TotalRead, withhold, withholdMoved } from "./total-read.ts";
import { tryExpression } from "./try-expression.ts";
import { factsOf, walkRows } from "./walk-rows.ts";

export interface TotalOptions {
  /** `totals` of the list's shape. */
  readonly totals: Totals;
  readonly shape: Pick<Extract<Shape, { kind: "list" }>, "rows">;
  readonly columns: readonly Column[] | undefined;
  /** The list's own call, as the toolset has it: neither filter nor page laid on. Absent where its rows are made of what steps gave. */
  readonly call?: Call;
  /** Of an aggregate: it is the list's own request. */
  readonly isSame: boolean;
  /** The list, while it is being read. */
  readonly list: Promise<ListRead>;
  /** Sends a call with its filter laid on. */
  readonly send: Ask;
  readonly asking: Pick<Asking, "toolset" | "access" | "wire" | "caller" | "deadlineAt">;
  readonly roots: Roots;
}

/**
 * The true total, or why it is withheld. An aggregate that is a request of its own is sent at once, beside the list; one that is the
 * list's own request is read from the list's body where that has all. What fails in it withholds the total and never fails the reply:
 * only a cancelled call and one over its deadline throw, and a list that fails where the total waits for it.
 */
export async function readTotal(options: TotalOptions): Promise<TotalRead> {
  const { totals, list, roots } = options;
  switch (totals.kind) {
    case "count":
      return readCount(totals, bodiesOf(await list), roots);
    case "walk": {
      if (!totals.additive) return withhold("NOT_ADDITIVE", `Values of \`${totals.measure}\` may not be added up.`);
      const read = await list;
      if (read.moved) return withholdMoved();
      if (isAll(read)) return { kind: "list", ...factsOf(totals, bodiesOf(read), roots) };
      return walkRows(totals, options);
    }
    case "aggregate":
      return aggregate(totals, options);
    default:
      return totals satisfies never;
  }
}

async function aggregate(totals: Extract<Totals, { kind: "aggregate" }>, options: TotalOptions): Promise<TotalRead> {
  const { list, isSame, roots } = options;
  if (!isSame) return askAggregate(totals, options);
  const read = await list;
  const bodies = bodiesOf(read);
  const answers = isAll(read) && !read.moved ? answersWith(read.rows, bodies, options) : undefined;
  if (answers !== undefined) return readAggregate(totals, { bodies: answers, whole: true }, roots);
  if (!isToldBy(bodies, totals.value, roots)) return askAggregate(totals, options);
  return readAggregate(totals, { bodies, whole: false }, roots);
}

/** Those of the answers that hold the rows of a list; undefined where they do not hold all. */
function answersWith(
  rows: readonly Json[],
  bodies: readonly [Json, ...Json[]],
  { shape, roots }: TotalOptions,
): readonly Json[] | undefined {
  const counted = bodies.map((body) => ({
    body,
    count: body === null ? 0 : findRows(shape.rows, body, roots).length,
  }));
  if (counted.reduce((sum, { count }) => sum + count, 0) !== rows.length) return undefined;
  const answers = counted.filter(({ count }) => count > 0).map(({ body }) => body);
  return answers.length > 0 ? answers : [bodies[0]];
}

/** Whether the upstream states the total on the pages of the list itself. */
function isToldBy(bodies: readonly [Json, ...Json[]], value: Expression, roots: Roots): boolean {
  return (tryExpression(value, bodies[0], roots) ?? null) !== null && isStated(value, bodies, roots);
}
