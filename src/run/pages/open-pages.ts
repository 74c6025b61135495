import type { Call, OperationPlan, PagePlan } from "../../model/call.ts";
import { ToolError } from "../../model/errors.ts";
import type { Json } from "../../model/json.ts";
import type { Answer, Ask } from "../exchange/ask-upstream.ts";
import type { Roots } from "../expressions/evaluate.ts";
import type { RowsWanted, WantRows } from "../rows/rows-wanted.ts";
import { refuseBody } from "../shape/refuse-body.ts";
import { guardRepeats } from "./guard-repeats.ts";
import { canSize, layPage } from "./lay-page.ts";
import type { PageRows } from "./look-at-rows.ts";
import { type NextPage, nextPage } from "./next-page.ts";
import { type AnsweredPage, type AskedPage, firstInRange, numberOf } from "./page-styles.ts";

/** A list of the upstream. */
export interface ListSource {
  readonly call: Call;
  readonly look: (body: Json) => PageRows;
  /** What the expressions of its pages read. */
  readonly roots: Roots;
  /** What a body says the sum of a measure is, where the curation reads one there. */
  readonly sum?: (body: Json) => Json | undefined;
  /** All that is needed of a large body. */
  readonly rows?: WantRows;
}

export interface PageRead extends NextPage, Omit<PageRows, "last"> {
  readonly asked: AskedPage;
  readonly body: Json;
  /** Why a sequence was not read to its end, a phrase. */
  readonly cut?: string;
}

/** Reads one page; undefined for an answer without a body. `beyond`: nobody knows whether there is such a page. */
export type ReadPage = (asked: AskedPage, beyond?: boolean) => Promise<PageRead | undefined>;

/** The plan by which the pages of a call are read. Only what has no effect is asked for more than once. */
export function pagesOf(call: Call, operations: readonly OperationPlan[]): PagePlan | undefined {
  return operations[call.operation]?.safe ? call.pages : undefined;
}

/** Reads the pages of one list, one after the other. Throws ToolError where they never end, and what `send` throws. */
export function openPages({ call, look, roots, sum, rows: wanted }: ListSource, plan: PagePlan, send: Ask): ReadPage {
  const guard = guardRepeats();
  const isSized = canSize(call, plan);
  const longest = new Map<number | undefined, number>();
  const readPage: ReadPage = async (page, beyond = false) => {
    const asked: AskedPage = isSized ? page : { cursor: page.cursor };
    const isCompared = asked.cursor.kind === "number";
    const ask: Ask = (one) => send(one, wanted && (() => compareRows(wanted(), isCompared)));
    const reply = await sendPage(layPage(call, plan, asked), plan, beyond, ask);
    if (reply === undefined) return { asked, ...NO_PAGE };
    if (reply.body.kind === "empty") return undefined;
    if (reply.body.kind !== "json") throw refuseBody(reply.body);
    const { value: body, cut } = reply.body;
    const found = look(body);
    const before = longest.get(asked.size) ?? 0;
    longest.set(asked.size, Math.max(before, found.count ?? 0));
    const answered: AnsweredPage = { reply, body, ...found, sum: sum?.(body) };
    const next: NextPage = cut === undefined ? nextPage(plan, asked, answered, before, roots) : CUT_SHORT;
    guard(asked.cursor, reply.body, found.count, next.next);
    const early = plan.style === "range" ? Math.max(0, numberOf(asked.cursor, 0) - firstInRange(asked, reply)) : 0;
    const { counted, count } = found;
    const rows = early === 0 ? found.rows : found.rows.slice(early);
    return { asked, rows, count, counted, body, ...next, ...(cut !== undefined && { cut }) };
  };
  let [doubted, isBegun] = [false, false];
  return async (wanted, beyond) => {
    try {
      const page = await readPage(wanted, beyond);
      doubted = page?.doubted ?? false;
      isBegun = true;
      return page;
    } catch (error) {
      if ((doubted && isNoPage(error)) || (isBegun && isKeptIn(error)))
        return { asked: wanted, ...NO_PAGE, unreachable: true };
      throw error;
    }
  };
}

function compareRows(wanted: RowsWanted | undefined, isCompared: boolean): RowsWanted | undefined {
  return wanted && { ...wanted, isCompared };
}

/** Where only a count in the body speaks for a further page, one that is refused, or comes again, is none. */
function isNoPage(error: unknown): boolean {
  if (!(error instanceof ToolError)) return false;
  const status = error.detail.upstream?.status ?? 0;
  return error.code === "upstream_bad_response" || (status >= 400 && status < 500 && !error.detail.retryable);
}

/** A link that would leave what a pin says was not followed: what came before it is good all the same. */
function isKeptIn(error: unknown): boolean {
  return error instanceof ToolError && error.code === "destination_blocked" && error.cause === undefined;
}

const CUT_SHORT: NextPage = { certain: false, unreachable: true };
const NO_PAGE = { rows: [], count: 0, counted: true, body: null, certain: false, unreachable: false } as const;

/** Undefined where there is no such page: beyond the last one many upstreams answer 404, and 416 to a range (RFC 9110 15.5.17). */
async function sendPage(laid: Call, plan: PagePlan, beyond: boolean, send: Ask): Promise<Answer | undefined> {
  try {
    const reply = await send(laid);
    return beyond && reply.body.kind === "empty" ? undefined : reply;
  } catch (error) {
    const status = error instanceof ToolError ? error.detail.upstream?.status : undefined;
    if (status === 416 && plan.style === "range") return undefined;
    if (status === 404 && beyond) return undefined;
    throw error;
  }
}
