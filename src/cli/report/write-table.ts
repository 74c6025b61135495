/** Columns side by side, with the head above; the columns of which `left` is true begin at the left, the others end at the right. */
export function writeTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  left: (column: number) => boolean = (column) => column === 0,
): string {
  const lines = [head, ...rows];
  const widths = head.map((_, column) => lines.reduce((most, line) => Math.max(most, (line[column] ?? "").length), 0));
  const write = (line: readonly string[]): string =>
    line
      .map((cell, column) => (left(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  ")
      .trimEnd();
  return lines.map(write).join("\n");
}
