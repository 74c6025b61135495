import { visibleCell } from "./printable.ts";

/** RFC 4180 with line feeds. A text that a spreadsheet would take for a formula gets an apostrophe before it. */
export function writeCsv(columns: readonly string[], rows: readonly (readonly unknown[])[]): string {
  return [columns, ...rows].map((row) => row.map(writeCell).join(",")).join("\n");
}

function writeCell(cell: unknown): string {
  if (cell === null || cell === undefined) return "";
  if (typeof cell !== "string") return writeText(typeof cell === "object" ? JSON.stringify(cell) : String(cell));
  return writeText(/^\s*[=+\-@＝＋－＠\t\r\n]/.test(cell) ? `'${cell}` : cell);
}

/** Where a comma is part of numbers, spreadsheets take a semicolon to end a cell, others a tab. */
function writeText(text: string): string {
  const shown = visibleCell(text);
  return /[",;\t\n\r]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}
