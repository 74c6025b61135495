import type { JsonObject } from "../../model/json.ts";
import type { Roots } from "../expressions/evaluate.ts";
import { identifyRows, type ReadsMember } from "../list/identify-row.ts";
import type { ListRead, PageToken, Position } from "../list/list-read.ts";
import type { TotalRead } from "../totals/total-read.ts";
import { type Arranged, arrangeRows, readsOf } from "./arrange-rows.ts";
import { showEntry } from "./entry.ts";
import { fitList, type ListFacts } from "./fit-list.ts";
import type { Column } from "./list-columns.ts";
import { mostRows } from "./most-rows.ts";
import type { Omission } from "./omit.ts";
import { openRest } from "./open-rest.ts";
import type { Shaped } from "./shaped.ts";
import { openSummary } from "./summarize-rows.ts";
import { tellBadSums } from "./tell-bad-sums.ts";
import { tellRowsOmitted } from "./tell-rows-omitted.ts";
import { type ListShape, type RowCounts, tellRows } from "./write-note.ts";

/** What a list's reply needs beside its rows. */
export interface ListContext {
  /** Rows at most; absent where rows are not limited. */
  readonly limit?: number;
  /** Of the page token that was given. */
  readonly token?: Pick<PageToken, "position" | "anchor">;
  readonly total?: TotalRead;
  /** The caller's filter, to be echoed. */
  readonly applied?: JsonObject;
  /** What was left out while the rows were made. */
  readonly omitted?: readonly Omission[];
  /** False for a tool that may write: nobody is told to call it again. */
  readonly repeatable?: boolean;
  /** The tool takes a `pageToken`. */
  readonly canGoOn: boolean;
  /** The page token that leads there; `anchor` is that of the row shown last, empty where none was. */
  tokenFor(position: Position, anchor: string): string;
  /** No token is longer. */
  readonly tokenBytes: number;
}

/**
 * A list reply: project, search, group, order, cut to the limit, clip and round, cut to the budget, note. `columns` is undefined where rows are
 * shown as they come. No cut makes a row unreachable where the tool takes a page token: the token goes on behind the rows that fit. Throws
 * ToolError `unknown_fields`, `response_too_large` (rows to be added up that are not all), `upstream_bad_response` (rows that are no objects) and
 * `invalid_cursor`.
 */
export function shapeList(
  shape: ListShape,
  columns: readonly Column[] | undefined,
  read: ListRead,
  roots: Roots,
  context: ListContext,
): Shaped {
  const { limit = Number.POSITIVE_INFINITY, token, total, applied, canGoOn, tokenBytes } = context;
  const summed = total !== undefined && total.kind !== "withheld" && total.kind !== "count";
  const arranged = arrangeRows(shape, columns, read, roots, {
    limit: Math.min(limit, mostRows(shape.budget, columns, tokenBytes)),
    summed,
    ...(token && { token }),
  });
  const rows = arranged.rows.map((entry) => showEntry(entry, arranged.columns));
  const summarize = openSummary(total, shape, columns, read, arranged, token === undefined, roots);
  const known = countRows(shape, read, arranged, context);
  const outOfReach = read.unreachable || read.cut !== undefined || read.stopped !== undefined;
  const factsOf = (shown: number): ListFacts => {
    const goesOn = shown < arranged.count - arranged.at || (read.kind === "part" && read.more);
    const hasMore = goesOn || outOfReach;
    const reached = goesOn && canGoOn;
    const summarized = summarize(shown, hasMore);
    const told = tellRows({ shown, hasMore, reached, full: shown < rows.length, summarized, ...known }, shape);
    return {
      ...(summarized && { summary: summarized.summary, ...(summarized.other && { other: summarized.other }) }),
      hasMore,
      reached,
      ...(told.note !== undefined && { note: told.note }),
      omitted: [...(context.omitted ?? []), ...told.omitted, ...tellBadSums(arranged.rows.slice(0, shown))],
    };
  };
  const shaped = fitList(rows, {
    budget: shape.budget,
    rests: openRest(shape.rest, null, roots),
    factsOf: remember(factsOf),
    ...(applied && { applied }),
    tokenBytes: canGoOn ? tokenBytes : 0,
    tokenOf: (shown) =>
      context.tokenFor(
        positionAfter(shown, read, arranged),
        anchorOf(shown, read, arranged, token, readsOf(shape, columns)),
      ),
  });
  const count = countedOf(read)?.total ?? arranged.count;
  return tellRowsOmitted(shaped, { ...arranged, count }, total, shape);
}

type Known = Omit<RowCounts, "shown" | "hasMore" | "reached" | "full" | "summarized">;

function countRows(
  shape: ListShape,
  read: ListRead,
  arranged: Arranged,
  { limit = Number.POSITIVE_INFINITY, token, repeatable = true }: ListContext,
): Known {
  const { at, count, drifted, searched, order } = arranged;
  const counted = countedOf(read);
  const isWhole = read.kind === "whole" || read.complete;
  const start = read.kind === "whole" ? at : token === undefined ? 0 : counted?.start;
  const all = isWhole ? count : counted?.total;
  const [first] = order ?? [];
  const measure = shape.totals && shape.totals.kind !== "count" ? shape.totals.measure : undefined;
  return {
    start,
    total: all,
    found: counted?.total ?? (isWhole || (token === undefined && !read.more) ? read.rows.length : undefined),
    unreachable: read.unreachable || read.cut !== undefined,
    cut: read.cut,
    stopped: read.stopped,
    drifted,
    moved: read.moved ?? false,
    searched,
    repeatable,
    ordered: shape.order !== undefined || shape.group !== undefined,
    limit,
    noun: areGroups(shape) ? "groups" : "rows",
    ranked: first?.descending === true && first.column === measure ? measure : undefined,
  };
}

function countedOf(read: ListRead) {
  return read.kind === "part" ? read.counted : undefined;
}

/** Rows by names that the caller chooses are groups that the upstream made. */
function areGroups({ group, totals, fields = [] }: ListShape): boolean {
  return group !== undefined || (totals?.kind === "aggregate" && fields.some(({ kind }) => kind === "columns"));
}

function positionAfter(shown: number, read: ListRead, { at }: Arranged): Position {
  return read.kind === "part" ? read.after(shown) : { kind: "row", at: at + shown };
}

/** The row shown last, among all that were read: its ID is one that no other of them has. */
function anchorOf(
  shown: number,
  read: ListRead,
  { rows, all }: Arranged,
  token: ListContext["token"],
  reads: ReadsMember | undefined,
): string {
  const last = rows[shown - 1];
  if (last === undefined) return token?.anchor ?? "";
  return identifyRows(all?.map(({ source }) => source) ?? read.rows, reads)(last.source);
}

/** Finding out about the same number of rows again costs as much as the first time. */
function remember(factsOf: (shown: number) => ListFacts): (shown: number) => ListFacts {
  const known = new Map<number, ListFacts>();
  return (shown) => {
    const facts = known.get(shown) ?? factsOf(shown);
    known.set(shown, facts);
    return facts;
  };
}
