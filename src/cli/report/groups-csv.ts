import { FIGURES, type Group, type Key } from "./summarize.ts";
import { writeCsv } from "./write-csv.ts";

/** The groups of `--json` as a table; their errors in one cell. */
export function groupsCsv(groups: readonly Group[], by: readonly Key[]): string {
  const names = by.flatMap((key) => (key === "tool" ? ["server", "tool"] : [key]));
  const columns = [...names, ...FIGURES];
  const rows = groups.map((group) => {
    const errors = group.errors.map(({ channel, code, calls }) => `${channel} ${code ?? "-"}: ${calls}`).join("; ");
    const cells = new Map<string, unknown>(Object.entries({ ...group, errors }));
    return columns.map((name) => cells.get(name));
  });
  return writeCsv(columns, rows);
}
