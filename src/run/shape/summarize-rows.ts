import type { Totals } from "../../model/shape.ts";
import { evaluateValue, type Roots } from "../expressions/evaluate.ts";
import type { ListRead } from "../list/list-read.ts";
import { addUp, type Sums } from "../totals/add-up.ts";
import { isAll } from "../totals/is-all.ts";
import { declaredUnit, openMeasure } from "../totals/open-measure.ts";
import { nameUnit } from "../totals/read-unit.ts";
import type { RowFacts } from "../totals/row-facts.ts";
import { type Summarized, summarizeTotal } from "../totals/summarize-total.ts";
import type { TotalRead } from "../totals/total-read.ts";
import type { Arranged } from "./arrange-rows.ts";
import type { Entry } from "./entry.ts";
import type { Column } from "./list-columns.ts";
import type { ListShape } from "./write-note.ts";

/** What the first so many rows are of the whole; undefined where the list has no totals. */
export type Summarize = (shown: number, remains: boolean) => Summarized | undefined;

export function openSummary(
  total: TotalRead | undefined,
  shape: ListShape,
  columns: readonly Column[] | undefined,
  read: ListRead,
  arranged: Arranged,
  first: boolean,
  roots: Roots,
): Summarize {
  const { totals } = shape;
  if (total === undefined || totals === undefined) return () => undefined;
  const sum = openSums(totals, columns, roots);
  const { all, rows, searched, matching } = arranged;
  const facts: Omit<RowFacts, "shown" | "remains"> = {
    ...measureFacts(totals, columns, roots),
    ...(all && (isAll(read) ? { known: sum(all) } : { part: sum(all) })),
    seen: (read.kind === "part" ? read.counted?.total : undefined) ?? read.rows.length,
    ...(searched !== "" && { searched: matching }),
    grouped: shape.group !== undefined,
    first,
  };
  return (shown, remains) => summarizeTotal(total, { ...facts, shown: sum(rows.slice(0, shown)), remains });
}

function openSums(totals: Totals, columns: readonly Column[] | undefined, roots: Roots) {
  if (totals.kind === "count")
    return (rows: readonly Entry[]): Sums => ({ rows: rows.length, bad: 0, units: new Map() });
  const termOf = openMeasure(totals.measure, columns, roots);
  return (rows: readonly Entry[]): Sums => addUp(rows.map(termOf));
}

type MeasureFacts = Pick<RowFacts, "measure" | "round" | "additive" | "declared" | "minor" | "constantUnit">;

function measureFacts(totals: Totals, columns: readonly Column[] | undefined, roots: Roots): MeasureFacts {
  if (totals.kind === "count") return { measure: "rows", additive: true, declared: false };
  const { measure, additive } = totals;
  const column = columns?.find(({ name }) => name === measure);
  const unit = declaredUnit(measure, columns);
  const constant = unit && unit.kind !== "expression" ? nameUnit(evaluateValue(unit, roots)) : undefined;
  return {
    measure,
    additive,
    ...(column?.kind === "column" && column.round !== undefined && { round: column.round }),
    declared: unit !== undefined,
    ...(column?.kind === "column" && column.form?.as === "minor" && { minor: true as const }),
    ...(constant !== undefined && { constantUnit: constant }),
  };
}
