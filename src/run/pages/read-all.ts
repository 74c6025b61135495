import type { OperationPlan, PagePlan } from "../../model/call.ts";
import type { RowPart } from "../../model/exchange.ts";
import type { Json } from "../../model/json.ts";
import type { Ask } from "../exchange/ask-upstream.ts";
import { hasFurtherRows } from "../shape/find-further.ts";
import { refuseBody } from "../shape/refuse-body.ts";
import { haveRowsMoved } from "./have-rows-moved.ts";
import { type ListSource, openPages, type PageRead, pagesOf } from "./open-pages.ts";
import { firstPage } from "./page-styles.ts";

export interface AllRows {
  readonly rows: readonly Json[];
  /** Of the first page. */
  readonly body: Json;
  /** Of the pages behind it. */
  readonly laterBodies?: readonly Json[];
  /** How many were read. */
  readonly pages: number;
  /** There are rows beyond the bound, which were not read. */
  readonly left: boolean;
  /** The upstream has more rows, or may have, and nothing says how to ask for them. */
  readonly unreachable: boolean;
  /** Why a sequence was not read to its end, a phrase. */
  readonly cut?: string;
  /** Rows moved while the pages were read: some may be missing or come twice (`SNAPSHOT_DRIFT`). */
  readonly moved?: true;
  /** Where these are not all rows that came. */
  readonly part?: RowPart;
}

export interface ReadingBound {
  readonly rows?: number;
  readonly pages?: number;
}

/**
 * Reads the pages of a list from the first to the last, or to the bound; of an upstream without pages what one request gives. Undefined where the
 * first answer has no body. Throws what sending throws, and ToolError `upstream_bad_response` where pages never end.
 */
export async function readAllPages(
  source: ListSource,
  operations: readonly OperationPlan[],
  send: Ask,
  bound: ReadingBound,
): Promise<AllRows | undefined> {
  const plan = pagesOf(source.call, operations);
  if (plan === undefined) return readOnce(source, send, bound);
  const { rows: mostRows = Number.POSITIVE_INFINITY, pages: mostPages = Number.POSITIVE_INFINITY } = bound;
  const rows: Json[] = [];
  const laterBodies: Json[] = [];
  let [pages, isFull] = [0, false];
  let all: AllRows | undefined;
  const read: PageRead[] = [];
  for await (const page of walkPages(source, plan, send)) {
    for (const row of isFull ? [] : page.rows) rows.push(row);
    read.push(page);
    const { cut, unreachable } = page;
    if (all !== undefined) laterBodies.push(page.body);
    const body: Json = all === undefined ? page.body : all.body;
    all = { rows, body, laterBodies, pages: pages + 1, left: false, unreachable, ...(cut !== undefined && { cut }) };
    if (rows.length > mostRows || (isFull && page.rows.length > 0))
      return { ...all, pages: Math.max(1, pages), left: true };
    pages += 1;
    isFull = rows.length === mostRows || pages >= mostPages;
    if (isFull && page.certain) return { ...all, left: true };
  }
  return all && haveRowsMoved(read) ? { ...all, moved: true } : all;
}

/** Every page, in the largest size that the upstream gives; none where the first answer has no body. */
async function* walkPages(source: ListSource, plan: PagePlan, send: Ask): AsyncGenerator<PageRead, void, void> {
  const read = openPages(source, plan, send);
  const size = plan.sizeFixed ?? plan.sizeMax;
  const sized = size === undefined ? {} : { size };
  let page = await read({ cursor: firstPage(plan), ...sized });
  while (page !== undefined) {
    yield page;
    if (page.next === undefined) return;
    page = await read({ cursor: page.next, ...sized }, !page.certain);
  }
}

async function readOnce(
  { call, look, sum, rows: wanted }: ListSource,
  send: Ask,
  bound: ReadingBound,
): Promise<AllRows | undefined> {
  const { body, headers } = await send(call, wanted);
  if (body.kind === "empty") return undefined;
  if (body.kind !== "json") throw refuseBody(body);
  const { rows, count = rows.length } = look(body.value);
  const most = bound.rows ?? Number.POSITIVE_INFINITY;
  const { part } = body;
  // Of a body that was not read to its end no count says that it has fewer rows than there are.
  const all = part === undefined ? count : part.stopped ? Number.POSITIVE_INFINITY : part.count;
  const isFurther = hasFurtherRows(body.value, all, headers, sum?.(body.value));
  const unreachable = body.cut !== undefined || isFurther;
  const cut = body.cut === undefined ? {} : { cut: body.cut };
  const read = { rows, body: body.value, pages: 1, left: rows.length > most, unreachable, ...cut };
  return part === undefined ? read : { ...read, part };
}
