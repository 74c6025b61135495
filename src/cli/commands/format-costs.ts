import { groupDigits } from "../../model/counted.ts";
import type { EndpointCost } from "../../surface/endpoint-tools.ts";
import { ENCODINGS, type Tokens } from "../../surface/measure-cost.ts";

/** What a row of the table costs. */
export interface CostRow {
  readonly label: string;
  readonly bytes: number;
  readonly tokens: Tokens;
}

/** The cost of each tool and of the list, beside that of one tool for each operation of the spec, in columns. */
export function formatCosts(tools: readonly CostRow[], list: CostRow, endpoints: EndpointCost): string {
  const { operations, atLeast } = endpoints;
  const each = operations === 1 ? "the one operation" : `each of the ${groupDigits(operations)} operations`;
  const label = `one tool for ${each}${atLeast ? ", at least" : ""}`;
  const rows = [...tools, list, { ...endpoints, label }].map((row) => [
    row.label,
    groupDigits(row.bytes),
    ...ENCODINGS.map((name) => groupDigits(row.tokens[name])),
  ]);
  const cells = [["cost", "bytes", ...ENCODINGS], ...rows];
  const widths = cells[0]!.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  const lines = cells.map((row) =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[at]!))).join("  "),
  );
  return lines.join("\n");
}
