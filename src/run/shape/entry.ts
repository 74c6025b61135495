import { isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import type { Roots } from "../expressions/evaluate.ts";
import { isMisfit } from "./is-misfit.ts";
import type { Column } from "./list-columns.ts";
import type { Omission } from "./omit.ts";
import { presentRow } from "./present.ts";
import { projectRow } from "./project.ts";
import { refuseMisfit } from "./refuse-body.ts";

/** A row on its way into the reply. */
export interface Entry {
  /** What it is known by: the upstream's row, or what all rows of a group have in common. */
  readonly source: Json;
  /** With the reply's columns, neither clipped nor rounded. */
  readonly row: Json;
  readonly omitted: readonly Omission[];
  /** Of a group, by summed column: the unit of all its rows. */
  readonly units?: ReadonlyMap<string, string | undefined>;
  /** Of a group, by summed column: rows that have no number, where there are some. */
  readonly bad?: ReadonlyMap<string, number>;
  /** Of a group: how many rows it has. */
  readonly size?: number;
}

/** A row as it is shown, and what that leaves out. */
export interface ShownRow {
  readonly entry: Entry;
  readonly row: Json;
  readonly omitted: readonly Omission[];
}

/** The upstream's rows with the reply's columns; `columns` is undefined where rows are shown as they come. */
export function projectEntries(
  sources: readonly Json[],
  columns: readonly Column[] | undefined,
  roots: Roots,
): readonly Entry[] {
  if (!columns) return sources.map((source) => ({ source, row: source, omitted: [] }));
  return sources.map((source) => ({ source, ...projectRow(source, columns, roots) }));
}

/** Throws ToolError `upstream_bad_response` for rows of which not one is an object, and in which no column finds anything. */
export function checkRows(sources: readonly Json[], columns: readonly Column[] | undefined, roots: Roots): void {
  if (columns === undefined || sources.length === 0 || sources.some((one) => one === null || isJsonObject(one))) return;
  if (sources.every((one) => isMisfit(one, projectRow(one, columns, roots).row)))
    throw refuseMisfit(columns, sources[0]!, "rows");
}

/** The same one after the other: of many rows few are kept. */
export function* projectEach(
  sources: readonly Json[],
  columns: readonly Column[] | undefined,
  roots: Roots,
): Generator<Entry, void, void> {
  for (const source of sources)
    yield columns ? { source, ...projectRow(source, columns, roots) } : { source, row: source, omitted: [] };
}

export function showEntry(entry: Entry, columns: readonly Column[] | undefined): ShownRow {
  if (!columns) return { entry, row: entry.row, omitted: [] };
  const { row, omitted } = presentRow(entry.row as JsonObject, columns);
  return { entry, row, omitted: omitted.length === 0 ? entry.omitted : [...entry.omitted, ...omitted] };
}
