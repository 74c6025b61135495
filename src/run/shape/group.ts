import { ToolError } from "../../model/errors.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { nearestNames } from "../../model/nearest.ts";
import type { Group } from "../../model/shape.ts";
import { canonicalJson } from "../canonical-json.ts";
import { evaluateValue, type Roots } from "../expressions/evaluate.ts";
import { addUp } from "../totals/add-up.ts";
import { openMeasure } from "../totals/open-measure.ts";
import { writeAmount } from "../totals/read-amount.ts";
import type { Entry } from "./entry.ts";
import { findUnitColumns, type UnitColumn } from "./group-units.ts";
import type { Column } from "./list-columns.ts";
import type { OrderBy } from "./order.ts";

export interface Grouped {
  readonly entries: readonly Entry[];
  /** Those of `by`, `sum`, the units and `count`. */
  readonly columns: readonly Column[];
  /** The largest first sum first, then by the columns grouped by. */
  readonly order: OrderBy;
}

/**
 * Adds rows up. A null is a group of its own; rows of two units are never added: the unit is one of the columns grouped by. A sum over rows of
 * which some have no number is null. Throws ToolError `unknown_fields` for a caller's column that rows do not have.
 */
export function groupEntries(
  group: Group,
  entries: readonly Entry[],
  columns: readonly Column[] | undefined,
  roots: Roots,
): Grouped {
  const by = namesOf(group, columns, roots);
  const measures = group.sum.map((name) => ({ name, termOf: openMeasure(name, columns, roots) }));
  const groups = new Map<string, { readonly keys: readonly Json[]; readonly entries: Entry[] }>();
  for (const entry of entries) {
    const keys = by.map((name) => cellOf(entry.row, name));
    const units = measures.map(({ termOf }) => termOf(entry).unit ?? null);
    const key = canonicalJson([...keys, ...units]);
    const known = groups.get(key);
    if (known) known.entries.push(entry);
    else groups.set(key, { keys, entries: [entry] });
  }
  const unitColumns = findUnitColumns(
    group,
    by,
    columns,
    [...groups.values()].map(({ entries: [one] }) => one!),
    roots,
  );
  const added = [...groups.values()].map(({ keys, entries: rows }) => {
    const common = Object.fromEntries(by.map((name, at) => [name, keys[at]!]));
    return addGroup(common, rows, measures, unitColumns, group.count);
  });
  return {
    entries: added,
    columns: [
      ...[...by, ...group.sum].map((name) => columnOf(name, columns)),
      ...unitColumns.map(({ name }) => columnOf(name, undefined)),
      ...(group.count === undefined ? [] : [columnOf(group.count, undefined)]),
    ],
    order: [
      ...group.sum.slice(0, 1).map((column) => ({ column, descending: true })),
      ...by.map((column) => ({ column, descending: false })),
    ],
  };
}

type MeasureOf = { readonly name: string; readonly termOf: ReturnType<typeof openMeasure> };

function addGroup(
  common: JsonObject,
  rows: readonly Entry[],
  measures: readonly MeasureOf[],
  unitColumns: readonly UnitColumn[],
  count: string | undefined,
): Entry {
  const first = rows[0]!;
  const sums = measures.map(({ name, termOf }) => ({ name, ...addUp(rows.map(termOf)), unit: termOf(first).unit }));
  const units = Object.fromEntries(unitColumns.map(({ name, unitOf }) => [name, unitOf(first) ?? null]));
  const bad = new Map(sums.filter((one) => one.bad > 0).map((one) => [one.name, one.bad]));
  const cells = sums.map(({ name, bad: lost, units: byUnit, unit }): readonly [string, Json] => [
    name,
    lost > 0 ? null : writeAmount(byUnit.get(unit)!.sum.exact),
  ]);
  return {
    source: { ...common, ...units },
    row: { ...common, ...Object.fromEntries(cells), ...units, ...(count !== undefined && { [count]: rows.length }) },
    omitted: rows
      .flatMap(({ omitted }) => omitted)
      .filter(({ path }) => path !== undefined && Object.hasOwn(common, path)),
    units: new Map(sums.map(({ name, unit }) => [name, unit])),
    ...(bad.size > 0 && { bad }),
    size: rows.length,
  };
}

/** The columns to group by, each once, as far as callers ask for them. */
function namesOf({ by, sum, count }: Group, columns: readonly Column[] | undefined, roots: Roots): string[] {
  const added = new Set([...sum, ...(count === undefined ? [] : [count])]);
  const known = columns?.map(({ name }) => name).filter((name) => !added.has(name));
  const names = by.flatMap((one) => {
    if (typeof one === "string" && one !== "...") return [one];
    const value = typeof one === "string" ? spreadNames(columns) : evaluateValue(one, roots);
    const given = (Array.isArray(value) ? value : [value]).filter((name) => typeof name === "string");
    for (const name of given) {
      if (added.has(name)) throw refuseName(name, "it is what groups add up", known ?? []);
      if (known && !known.includes(name)) throw refuseName(name, "they have no such column", known);
    }
    return given;
  });
  return [...new Set(names)];
}

function refuseName(name: string, why: string, known: readonly string[]): ToolError {
  return new ToolError("unknown_fields", {
    message: `Rows cannot be grouped by \`${name.slice(0, 100)}\`: ${why}.`,
    recover: `Group by one of: ${known.slice(0, 30).join(", ")}.`,
    got: name.slice(0, 200),
    nearest: nearestNames(name, known),
    retryable: false,
  });
}

/** The columns that were added for a list of names. */
export function spreadNames(columns: readonly Column[] | undefined): string[] {
  return (columns ?? []).flatMap((column) => (column.kind === "own" ? [column.name] : []));
}

function columnOf(name: string, columns: readonly Column[] | undefined): Column {
  return columns?.find((column) => column.name === name) ?? { kind: "own", name };
}

function cellOf(row: Json, name: string): Json {
  return typeof row === "object" && row !== null && Object.hasOwn(row, name) ? (row as JsonObject)[name]! : null;
}
