import type { Json, JsonObject } from "../../model/json.ts";
import type { Shape } from "../../model/tool.ts";
import { evaluateValue, type Roots } from "../expressions/evaluate.ts";
import { cutToBudget } from "./cut-to-budget.ts";
import { cutToFit, SMALLEST_BUDGET } from "./cut-to-fit.ts";
import { hasFurtherRows } from "./find-further.ts";
import { findRows } from "./find-rows.ts";
import type { Column } from "./list-columns.ts";
import { mergeOmissions, type Omission } from "./omit.ts";
import { orderRows } from "./order.ts";
import { presentRow } from "./present.ts";
import { projectRow } from "./project.ts";
import { searchRows } from "./search.ts";
import type { Shaped } from "./shaped.ts";
import { type RowCounts, tellRows } from "./write-note.ts";

type ListShape = Extract<Shape, { kind: "list" }>;

/** A row as it is shown, and what that leaves out. */
interface ShownRow {
  readonly row: Json;
  readonly omitted: readonly Omission[];
}

/**
 * A list reply: project, search, order, cut to the limit, clip and round, cut to the budget, note. `columns` is undefined where rows are
 * shown as they come, `link` is the answer's Link header. Throws `upstream_bad_response` where the body has no list of rows.
 */
export function shapeList(
  shape: ListShape,
  columns: readonly Column[] | undefined,
  body: Json,
  roots: Roots,
  limit = Number.POSITIVE_INFINITY,
  link?: string,
): Shaped {
  const found = findRows(shape.rows, body, roots);
  const searched = shape.search ? wordsOf(evaluateValue(shape.search, roots)) : "";
  // Without search and order nobody looks at the rows beyond the limit.
  const candidates = searched === "" && !shape.order ? found.slice(0, limit) : found;
  const { rows, faults } = projectRows(candidates, columns, roots);
  const matching = searchRows(rows, searched);
  const ordered = orderRows(matching, shape.order ?? [], spreadNames(columns), roots);
  const shown = ordered.slice(0, limit).map((row) => showRow(row, columns, faults.get(row) ?? []));
  const total = searched === "" ? found.length : matching.length;
  const further = hasFurtherRows(body, found.length, link);
  return fitRows(shown, { total, found: found.length, further, searched, limit }, shape);
}

function projectRows(rows: readonly Json[], columns: readonly Column[] | undefined, roots: Roots) {
  const faults = new Map<Json, readonly Omission[]>();
  if (!columns) return { rows, faults };
  const projected = rows.map((source) => {
    const { row, omitted } = projectRow(source, columns, roots);
    if (omitted.length > 0) faults.set(row, omitted);
    return row;
  });
  return { rows: projected, faults };
}

function showRow(row: Json, columns: readonly Column[] | undefined, faults: readonly Omission[]): ShownRow {
  if (!columns) return { row, omitted: [] };
  const shown = presentRow(row as JsonObject, columns);
  return { row: shown.row, omitted: [...faults, ...shown.omitted] };
}

/** Keys in the contract's order (section 4), `data` last, so that a client that cuts the text still has the facts. */
function fitRows(shown: readonly ShownRow[], counts: Omit<RowCounts, "shown">, shape: ListShape): Shaped {
  const budget = Math.max(shape.budget, SMALLEST_BUDGET);
  const rows = shown.map(({ row }) => row);
  const head = (count: number, inside: readonly Omission[] = []): JsonObject => {
    const { note, omitted: left } = tellRows({ ...counts, shown: count }, shape);
    const clipped = shown.slice(0, count).flatMap(({ omitted }) => omitted);
    const omitted = [...(left ? [left] : []), ...inside, ...mergeOmissions(clipped)];
    return {
      rowCount: count,
      hasMore: count < counts.total || counts.further,
      ...(note !== undefined && { note }),
      ...(omitted.length > 0 && { omitted: omitted.map((one) => ({ ...one })) }),
    };
  };
  const fitted = cutToBudget(rows, budget, head);
  if (fitted.text !== undefined)
    return { structured: { ...head(fitted.shown), data: rows.slice(0, fitted.shown) }, text: fitted.text };
  const build = (row: Json, inside: readonly Omission[]) => ({ ...head(1, inside), data: row === null ? [{}] : [row] });
  return { structured: cutToFit(rows[0]!, "data[0]", budget, build) };
}

/** A list of words counts as its words. */
function wordsOf(searched: Json | undefined): string {
  if (Array.isArray(searched)) return searched.map((one) => wordsOf(one as Json)).join(" ");
  return typeof searched === "string" || typeof searched === "number" ? String(searched).trim() : "";
}

function spreadNames(columns: readonly Column[] | undefined): string[] {
  return (columns ?? []).flatMap((column) => (column.kind === "own" ? [column.name] : []));
}
