import type { Call, OperationPlan } from "../../model/call.ts";
import type { RowPart } from "../../model/exchange.ts";
import type { Json } from "../../model/json.ts";
import type { Shape } from "../../model/shape.ts";
import type { Tool } from "../../model/tool.ts";
import { holds } from "../errors/holds.ts";
import type { Ask } from "../exchange/ask-upstream.ts";
import { evaluateValue, type Roots } from "../expressions/evaluate.ts";
import { lookAtRows } from "../pages/look-at-rows.ts";
import { type ListSource, pagesOf } from "../pages/open-pages.ts";
import { type AllRows, readAllPages } from "../pages/read-all.ts";
import type { Column } from "../shape/list-columns.ts";
import { tryExpression } from "../totals/try-expression.ts";
import type { ListRead, PageToken } from "./list-read.ts";
import { partOfBody } from "./part-of-body.ts";
import { readPart } from "./read-part.ts";
import { refuseSize } from "./refuse-size.ts";
import { wantRows } from "./want-rows.ts";

type ListShape = Extract<Shape, { kind: "list" }>;

export interface ListOptions {
  readonly tool: Tool;
  readonly shape: ListShape;
  readonly columns?: readonly Column[] | undefined;
  /** The list's own body is what the total is read from. */
  readonly isTotal?: boolean;
  /** Neither filter nor page laid on. */
  readonly call: Call;
  readonly operations: readonly OperationPlan[];
  /** The caller's arguments and the pins. */
  readonly roots: Roots;
  /** Sends a call with its filter laid on. */
  readonly send: Ask;
  /** The most rows to show, where they are limited. */
  readonly limit?: number;
  readonly token?: PageToken;
}

/** Where nobody says how many rows may be read to order or search them. */
const MOST_ROWS = 10_000;

/**
 * Reads what a reply needs of a list: from the position on what fills one reply, or every row where rows must be ordered, searched or added up, or the
 * upstream knows no pages. Undefined where the upstream answered without a body. Throws ToolError: what sending throws, `upstream_bad_response` for
 * pages that never end, `response_too_large` for more rows than may be read.
 */
export async function readList(options: ListOptions): Promise<ListRead | undefined> {
  const { shape, columns, call, operations, roots, send, limit, token, isTotal = false } = options;
  const { totals } = shape;
  const plan = pagesOf(call, operations);
  const rows = () =>
    wantRows({
      shape,
      columns,
      isTotal,
      needsAll: needsAll(shape, roots),
      ...(plan && { plan }),
      ...(limit !== undefined && { limit }),
      ...(token !== undefined && { token }),
    });
  const source: ListSource = {
    call,
    roots,
    look: (body: Json) => lookAtRows(shape.rows, body, roots),
    ...(totals?.kind === "aggregate" && { sum: (body: Json) => tryExpression(totals.value, body, roots) }),
    rows,
  };
  if (plan === undefined || needsAll(shape, roots)) return readWhole(options, source);
  if (token?.position.kind === "row") throw new Error("A list that is read page by page has no numbered rows.");
  return readPart(source, plan, send, {
    columns,
    ...(limit !== undefined && { limit }),
    ...(shape.limit !== undefined && { most: shape.limit.max }),
    ...(token !== undefined && { token: { ...token, position: token.position } }),
  });
}

/** Whether rows are looked at together before any is shown. */
function needsAll(shape: ListShape, roots: Roots): boolean {
  if (shape.all !== undefined || shape.group !== undefined || isSearched(shape, roots)) return true;
  return (shape.order ?? []).some(({ when }) => !when || holds(when, roots, roots));
}

function isSearched({ search }: ListShape, roots: Roots): boolean {
  const searched = search === undefined ? null : evaluateValue(search, roots);
  return Array.isArray(searched) ? searched.length > 0 : searched !== null && String(searched).trim() !== "";
}

async function readWhole(options: ListOptions, source: ListSource): Promise<ListRead | undefined> {
  const { shape, operations, send, token } = options;
  const most =
    shape.all?.max ?? (shape.group || pagesOf(source.call, operations) === undefined ? undefined : MOST_ROWS);
  const bound = { ...(most !== undefined && { rows: most }), ...(shape.group && { pages: shape.group.maxPages }) };
  const all: AllRows | undefined = await readAllPages(source, operations, send, bound);
  if (all === undefined) return undefined;
  const { left, part, ...read } = all;
  if (part !== undefined && !holdsAll(part, read.rows)) return partOfBody(read, part, token);
  if (left)
    throw refuseSize(options.tool, shape, most !== undefined && read.rows.length > most ? { rows: most } : bound);
  return { kind: "whole", ...read };
}

function holdsAll({ from, count, stopped }: RowPart, rows: readonly Json[]): boolean {
  return from === 0 && !stopped && rows.length === count;
}
