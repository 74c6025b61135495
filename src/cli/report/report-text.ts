import { counted, groupDigits } from "../../model/counted.ts";
import { percent } from "./format-value.ts";
import type { Overview } from "./overview.ts";
import { errorGrid, figureGrid, type Grid, retryGrid } from "./report-grids.ts";
import type { Group } from "./summarize.ts";
import { writeTable } from "./write-table.ts";

const MOST_ROWS = 50;

/** The whole report for a terminal. */
export function reportText(overview: Overview): string {
  const { all, sections, source } = overview;
  if (all === undefined) return `No calls (${source}).`;
  const grids = [...sections.map(figureGrid), errorGrid(overview), retryGrid(overview)];
  const tables = grids.filter(({ rows }) => rows.length > 0).map(gridText);
  return [`${sentence(all)}\n${source}`, ...tables].join("\n\n");
}

/** `128 calls from … to …: 100 ok, …`. */
export function sentence({ calls, ok, tool_errors, error_rate, protocol_faults, crashes, first, last }: Group): string {
  const time = (moment: string): string => moment.slice(0, 16).replace("T", " ");
  const rate = tool_errors === 0 ? "" : ` (${percent(error_rate)})`;
  const ends = [
    `${groupDigits(ok)} ok`,
    `${counted(tool_errors, "tool error")}${rate}`,
    counted(protocol_faults, "protocol fault"),
  ];
  return `${counted(calls, "call")} from ${time(first)} to ${time(last)} UTC: ${ends.join(", ")}, ${counted(crashes, "crash", "crashes")}.`;
}

function gridText({ head, rows, names }: Grid): string {
  const table = writeTable(head, rows.slice(0, MOST_ROWS), (column) => column < names);
  return rows.length > MOST_ROWS
    ? `${table}\n… and ${groupDigits(rows.length - MOST_ROWS)} more (--json has all of them)`
    : table;
}
