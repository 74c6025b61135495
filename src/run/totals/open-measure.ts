import { isJsonObject, type Json, ownValue } from "../../model/json.ts";
import type { Value } from "../../model/value.ts";
import type { Roots } from "../expressions/evaluate.ts";
import type { Column } from "../shape/list-columns.ts";
import type { Term } from "./add-up.ts";
import { readAmount } from "./read-amount.ts";
import { unitReader } from "./read-unit.ts";

/** One row as its measure is read from it. */
export interface Measured {
  /** As the upstream gave it. */
  readonly source: Json;
  /** With the columns of the reply, neither clipped nor rounded. */
  readonly row: Json;
  /** Of the rows of a group, by column: what they have in common. */
  readonly units?: ReadonlyMap<string, string | undefined>;
}

/** Reads a column's amount and unit from rows. */
export function openMeasure(
  measure: string,
  columns: readonly Column[] | undefined,
  roots: Roots,
): (row: Measured) => Term {
  const unit = declaredUnit(measure, columns);
  const unitOf = unit && unitReader(unit, roots);
  return ({ source, row, units }) => ({
    amount: readAmount(isJsonObject(row) ? ownValue(row, measure) : undefined),
    unit: units?.has(measure) ? units.get(measure) : unitOf?.(source),
  });
}

/** What gives the unit of the column's rows, where the curation says it. */
export function declaredUnit(measure: string, columns: readonly Column[] | undefined): Value | undefined {
  const column = columns?.find(({ name }) => name === measure);
  return column?.kind === "column"
    ? (column.unit ?? (column.form?.as === "minor" ? column.form.unit : undefined))
    : undefined;
}
