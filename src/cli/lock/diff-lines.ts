/** Lines around a change that are shown as well. */
const AROUND = 2;
/** Beyond so many pairs of lines only what differs at the ends is found. */
const MOST_PAIRS = 4_000_000;

interface Line {
  readonly mark: " " | "-" | "+";
  readonly text: string;
}

/** What is different between two texts, as lines: `- ` what was, `+ ` what is, and a few that stay around them. Empty where nothing is. */
export function diffLines(before: string, after: string): readonly string[] {
  const lines = compare(before.split("\n"), after.split("\n"));
  const changed = lines.flatMap(({ mark }, at) => (mark === " " ? [] : [at]));
  const near = new Set(changed.flatMap((at) => Array.from({ length: 2 * AROUND + 1 }, (_, by) => at + by - AROUND)));
  const shown = [...lines.keys()].filter((at) => near.has(at));
  return shown.flatMap((at, index) => {
    const { mark, text } = lines[at]!;
    const isApart = index > 0 && shown[index - 1] !== at - 1;
    return [...(isApart ? ["…"] : []), `${mark} ${text}`.trimEnd()];
  });
}

function compare(before: readonly string[], after: readonly string[]): readonly Line[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const same = (lines: readonly string[]) => lines.map((text): Line => ({ mark: " ", text }));
  return [
    ...same(before.slice(0, head)),
    ...between(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...same(before.slice(before.length - tail)),
  ];
}

/** By a longest common subsequence. */
function between(before: readonly string[], after: readonly string[]): readonly Line[] {
  const [rows, columns] = [before.length, after.length];
  const removed = before.map((text): Line => ({ mark: "-", text }));
  const added = after.map((text): Line => ({ mark: "+", text }));
  if (rows * columns > MOST_PAIRS) return [...removed, ...added];
  // common[row][column]: how many lines the ends from there have in common.
  const common = Array.from({ length: rows + 1 }, () => new Uint32Array(columns + 1));
  const at = (row: number, column: number) => common[row]?.[column] ?? 0;
  for (let row = rows - 1; row >= 0; row -= 1)
    for (let column = columns - 1; column >= 0; column -= 1)
      common[row]![column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
  const lines: Line[] = [];
  let [row, column] = [0, 0];
  while (row < rows || column < columns) {
    if (row < rows && column < columns && before[row] === after[column]) {
      lines.push({ mark: " ", text: before[row]! });
      row += 1;
      column += 1;
    } else if (row < rows && at(row + 1, column) >= at(row, column + 1)) lines.push(removed[row++]!);
    else lines.push(added[column++]!);
  }
  return lines;
}
