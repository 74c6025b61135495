import type { SourcePosition } from "../model/problem.ts";
import type { Finding, Path } from "./finding.ts";
import { locateNode } from "./locate-node.ts";
import type { YamlTree } from "./read-yaml.ts";

/** Where in a file something stands: an entry at its key or at what it holds; `part` is a piece of the text there. */
export type Locate = (path: Path, at: Finding["at"], part?: string) => SourcePosition;

export function createLocator(file: string, text: string, tree: YamlTree): Locate {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (path, at, part) => {
    const [start, end] = locateNode(tree, path, at);
    const found = part === undefined ? -1 : text.slice(start, end).indexOf(part);
    const offset = start + Math.max(found, 0);
    const line = lineOf(offset, starts);
    return { file, line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
  };
}

/** The last of the lines that does not start behind it. Halved: a file may have as many mistakes as lines. */
function lineOf(offset: number, starts: readonly number[]): number {
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (starts[middle]! <= offset) low = middle;
    else high = middle;
  }
  return low;
}
