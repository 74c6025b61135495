import { ToolError } from "../../model/errors.ts";
import type { Json } from "../../model/json.ts";
import { evaluateValue, type Roots } from "../expressions/evaluate.ts";
import type { ReadsMember } from "../list/identify-row.ts";
import type { ListRead, PageToken } from "../list/list-read.ts";
import { readsMember } from "../list/reads-member.ts";
import { isAll } from "../totals/is-all.ts";
import { checkRows, type Entry, projectEach, projectEntries } from "./entry.ts";
import { findStart, type Start } from "./find-start.ts";
import { groupEntries, spreadNames } from "./group.ts";
import type { Column } from "./list-columns.ts";
import { findOrder, firstRows, type OrderBy, orderRows } from "./order.ts";
import { searchRows } from "./search.ts";
import type { ListShape } from "./write-note.ts";

/** The rows of a list in the order in which they are shown. */
export interface Arranged extends Start {
  /** From the first that is shown on, as far as the limit. */
  readonly rows: readonly Entry[];
  /** All rows of the list that were read, before the start too: those that match, or groups of them. */
  readonly count: number;
  /** Those rows themselves, where the reply says something of all of them. */
  readonly all?: readonly Entry[];
  /** Rows that match what was searched for, before they were grouped. */
  readonly matching: number;
  /** What was searched for; empty where nothing was. */
  readonly searched: string;
  /** Undefined where rows are shown as they come. */
  readonly columns: readonly Column[] | undefined;
  /** Absent: as the upstream gave them. */
  readonly order?: OrderBy;
}

export interface Arranging {
  readonly limit: number;
  readonly token?: Pick<PageToken, "position" | "anchor">;
  /** All rows are needed, for they are added up. */
  readonly summed: boolean;
}

/** Project, search, group, order, begin where the page token says, and cut to the limit. */
export function arrangeRows(
  shape: ListShape,
  columns: readonly Column[] | undefined,
  read: ListRead,
  roots: Roots,
  { limit, token, summed }: Arranging,
): Arranged {
  checkRows(read.rows, columns, roots);
  const searched = shape.search ? wordsOf(evaluateValue(shape.search, roots)) : "";
  const by = read.kind === "part" ? undefined : findOrder(shape.order ?? [], spreadNames(columns), roots);
  if (searched === "" && !by && !shape.group && !summed) {
    // Nobody looks at the rows beyond the limit.
    const start = findStart(read.rows, read, token, () => readsOf(shape, columns));
    const rows = projectEntries(read.rows.slice(start.at, start.at + limit), columns, roots);
    return { rows, count: read.rows.length, matching: read.rows.length, searched, columns, ...start };
  }
  // Whoever goes on with the list, adds up or groups looks at more than the first rows.
  const isTop = token === undefined && shape.totals === undefined && !shape.group;
  if (searched === "" && by && isTop) {
    const rows = firstRows(projectEach(read.rows, columns, roots), by, read.rows, limit);
    return { ...FROM_START, rows, count: read.rows.length, matching: read.rows.length, searched, columns, order: by };
  }
  const matching = searchRows(projectEntries(read.rows, columns, roots), searched);
  if (shape.group && !isAll(read)) throw refusePart();
  const grouped = shape.group && groupEntries(shape.group, matching, columns, roots);
  const order = by ?? grouped?.order;
  const entries = grouped?.entries ?? matching;
  const all = order ? orderRows(entries, order) : entries;
  const start = findStart(
    all.map(({ source }) => source),
    read,
    token,
    () => readsOf(shape, columns),
  );
  return {
    ...start,
    rows: all.slice(start.at, start.at + limit),
    count: all.length,
    all,
    matching: matching.length,
    searched,
    columns: grouped?.columns ?? columns,
    ...(order && { order }),
  };
}

/** What tells rows without an ID apart; a group of ours has nothing else. */
export function readsOf({ group }: ListShape, columns: readonly Column[] | undefined): ReadsMember | undefined {
  return group === undefined ? readsMember(columns) : undefined;
}

const FROM_START: Start = { at: 0, drifted: false };

/** A list of words counts as its words. */
function wordsOf(searched: Json | undefined): string {
  if (Array.isArray(searched)) return searched.map((one) => wordsOf(one as Json)).join(" ");
  return typeof searched === "string" || typeof searched === "number" ? String(searched).trim() : "";
}

/** Sums over a part of the rows would be taken for those over all. */
function refusePart(): ToolError {
  return new ToolError("response_too_large", {
    message: "The upstream sent only a part of its rows, so they cannot be added up.",
    recover: "Narrow the arguments, for example to a shorter range, so that all rows come at once.",
    retryable: false,
  });
}
