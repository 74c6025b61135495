import type { PagePlan } from "../../model/call.ts";
import { ToolError } from "../../model/errors.ts";
import type { Ask } from "../exchange/ask-upstream.ts";
import { haveRowsMoved } from "../pages/have-rows-moved.ts";
import { type ListSource, openPages, type PageRead, type ReadPage } from "../pages/open-pages.ts";
import { type AskedPage, firstPage } from "../pages/page-styles.ts";
import type { Column } from "../shape/list-columns.ts";
import { chooseSize, isFreeOfPages, saysMore } from "./choose-size.ts";
import { type FindAgain, findAgain } from "./find-again.ts";
import type { ListRead, Position } from "./list-read.ts";
import { type Piece, positionAfter } from "./position-after.ts";
import { readsMember } from "./reads-member.ts";

type PartRead = Extract<ListRead, { kind: "part" }>;

export interface PartWanted {
  /** The most rows that are shown; one page where absent. */
  readonly limit?: number;
  /** The highest limit of the tool. */
  readonly most?: number;
  readonly columns?: readonly Column[] | undefined;
  /** Where the list goes on; at its beginning where absent. */
  readonly token?: { readonly position: Extract<Position, { kind: "page" }>; readonly anchor?: string };
}

/** After so many pages without a row the reply says that there is more, and another call goes on. */
const MOST_EMPTY = 20;

/**
 * Reads a list from a position on until it has one row more than the limit, or knows the end; without a limit the first page that has rows. Undefined
 * where the answer has no body. Throws what sending throws, and ToolError `upstream_bad_response` where pages never end.
 */
export async function readPart(
  source: ListSource,
  plan: PagePlan,
  send: Ask,
  wanted: PartWanted,
): Promise<PartRead | undefined> {
  const read = openPages(source, plan, send);
  const start = startOf(plan, wanted);
  const first = await read({ cursor: start.cursor, ...firstSize(plan, wanted, start) }, start.beyond);
  if (first === undefined) return undefined;
  const again = findAgain(wanted.token?.anchor, start.skip, wanted.token && readsMember(wanted.columns));
  const { pieces, last, more } = await readOn(first, again, read, plan, wanted);
  const shown = pieces.map(({ page, from }) => ({ ...page, rows: page.rows.slice(from) }));
  return {
    kind: "part",
    rows: shown.flatMap(({ rows }) => rows),
    body: first.body,
    laterBodies: pieces.flatMap(({ page }) => (page === first ? [] : [page.body])),
    unreachable: last.unreachable,
    ...(last.cut !== undefined && { cut: last.cut }),
    complete: wanted.token === undefined && !more && !last.unreachable,
    more,
    after: (shown) => positionAfter(shown, pieces, last, plan, source.roots),
    drifted: again.moved(),
    ...(haveRowsMoved(shown) && { moved: true }),
  };
}

interface Start extends AskedPage {
  /** Rows of that page that were shown before. */
  readonly skip: number;
  readonly beyond: boolean;
}

/** Where rows are counted, the row that was shown last is read again, to see whether it still stands there. */
function startOf(plan: PagePlan, { token }: PartWanted): Start {
  if (token === undefined) return { cursor: firstPage(plan), skip: 0, beyond: false };
  const { page: cursor, size, skip } = token.position;
  const beyond = cursor.kind === "number";
  const isCounted = plan.style === "offset" || plan.style === "range";
  if (isCounted && beyond && skip === 0 && token.anchor !== undefined && cursor.number > 0) {
    return { cursor: { kind: "number", number: cursor.number - 1 }, skip: 1, beyond };
  }
  return { cursor, skip, beyond, ...(size !== undefined && { size }) };
}

function firstSize(plan: PagePlan, { limit, most }: PartWanted, { size, skip }: Start): Pick<AskedPage, "size"> {
  if (size !== undefined) return { size };
  const wanted = limit === undefined ? {} : { wanted: limit + skip + (saysMore(plan) ? 0 : 1) };
  const chosen = chooseSize(plan, { ...wanted, ...(most !== undefined && { most }) });
  return chosen === undefined ? {} : { size: chosen };
}

interface Walked {
  readonly pieces: readonly Piece[];
  readonly last: PageRead;
  /** Rows come behind those of the pieces. */
  readonly more: boolean;
}

async function readOn(
  first: PageRead,
  again: FindAgain,
  read: ReadPage,
  plan: PagePlan,
  wanted: PartWanted,
): Promise<Walked> {
  let walked: Walked = { pieces: [{ page: first, from: again.from(first.rows) }], last: first, more: true };
  for (let empty = 0; empty < MOST_EMPTY || isLost(walked); ) {
    const { pieces, last } = walked;
    if (last.next === undefined) return { ...walked, more: false };
    const have = countRows(pieces);
    const isFull = wanted.limit === undefined ? have > 0 : have >= wanted.limit;
    if (isFull && (last.certain || have > (wanted.limit ?? have))) return walked;
    const asked = { cursor: last.next, ...nextSize(plan, last, wanted, have) };
    const page = await read(asked, !last.certain).catch(isFull ? orLater : rethrow);
    if (page === LATER) return walked;
    if (page === undefined) return { ...walked, more: false };
    const found = again.later(page.rows);
    if (found !== undefined) walked = { pieces: [{ page, from: found }], last: page, more: true };
    else if (isFull && wanted.limit === undefined && page.rows.length > 0) return walked;
    else walked = { pieces: [...pieces, { page, from: 0 }], last: page, more: true };
    empty = page.rows.length === 0 ? empty + 1 : 0;
  }
  return walked;
}

/** Numbers never end by themselves: where none of them has a row, no call after this one would come any further. */
function isLost({ pieces, last }: Walked): boolean {
  return last.next?.kind === "number" && countRows(pieces) === 0;
}

function nextSize(plan: PagePlan, { asked }: PageRead, { limit }: PartWanted, have: number): Pick<AskedPage, "size"> {
  if (asked.size === undefined) return {};
  if (!isFreeOfPages(plan) || limit === undefined || plan.sizeFixed !== undefined) return { size: asked.size };
  return { size: Math.min(asked.size, Math.max(1, limit + 1 - have)) };
}

const LATER = "later";

/** All rows that are shown were read; whether there are more, the call that asks for them finds out. */
function orLater(error: unknown): typeof LATER {
  const isPassing = error instanceof ToolError && error.code !== "cancelled";
  if (isPassing && (error.detail.retryable || error.detail.upstream?.status !== undefined)) return LATER;
  throw error;
}

function rethrow(error: unknown): never {
  throw error;
}

function countRows(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { page, from }) => sum + page.rows.length - from, 0);
}
