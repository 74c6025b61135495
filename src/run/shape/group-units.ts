import type { Group } from "../../model/shape.ts";
import type { Roots } from "../expressions/evaluate.ts";
import { declaredUnit, openMeasure } from "../totals/open-measure.ts";
import { isCurrency } from "../totals/read-unit.ts";
import type { Entry } from "./entry.ts";
import type { Column } from "./list-columns.ts";

/** A column that says in which unit a group's sums are. */
export interface UnitColumn {
  readonly name: string;
  readonly unitOf: (entry: Entry) => string | undefined;
}

/**
 * One column for each unit that the rows say, unless a column grouped by shows it already. It is called as a column of the reply that shows the
 * same, else `currency` where all groups are in currencies and `unit` where they are not. `firsts` are the first row of each group.
 */
export function findUnitColumns(
  { sum, count }: Group,
  by: readonly string[],
  columns: readonly Column[] | undefined,
  firsts: readonly Entry[],
  roots: Roots,
): UnitColumn[] {
  const taken = new Set([...by, ...sum, ...(count === undefined ? [] : [count])]);
  const shown = new Set<string>();
  const found: UnitColumn[] = [];
  for (const measure of sum) {
    const unit = declaredUnit(measure, columns);
    if (unit?.kind !== "expression" || shown.has(unit.expression.jmespath)) continue;
    const { jmespath } = unit.expression;
    shown.add(jmespath);
    const same = columns?.filter((column) => column.kind === "column" && column.path.jmespath === jmespath) ?? [];
    if (same.some(({ name }) => by.includes(name))) continue;
    const termOf = openMeasure(measure, columns, roots);
    const unitOf = (entry: Entry) => termOf(entry).unit;
    const units = firsts.map(unitOf);
    const isMoney = units.every((one) => one === undefined || isCurrency(one));
    const plain = isMoney ? "currency" : "unit";
    const name = [same[0]?.name, plain, `${measure}_${plain}`].find((one) => one !== undefined && !taken.has(one));
    if (name === undefined) continue;
    taken.add(name);
    found.push({ name, unitOf });
  }
  return found;
}
