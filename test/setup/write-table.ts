/** A table of Markdown, as the formatter aligns it. The first row is its head. */
export function writeTable(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
  const [head = [], ...body] = cells;
  const widths = head.map((_, at) => Math.max(3, ...cells.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[], fill = " ") =>
    `| ${row.map((cell, at) => cell.padEnd(widths[at]!, fill)).join(" | ")} |`;
  const rule = line(
    head.map(() => ""),
    "-",
  );
  return [line(head), rule, ...body.map((row) => line(row))].join("\n");
}
