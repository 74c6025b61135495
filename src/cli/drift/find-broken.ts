import type { Curation } from "../../curation/format.ts";
import type { SourcePosition } from "../../model/problem.ts";
import { openToolFinder } from "../../surface/lint/find-tool.ts";
import type { ToolProblem } from "../../surface/lint/waivers.ts";
import { type EntryPath, partsOf } from "./leave-out.ts";

/** For each error the input, field or argument in which it stands, else its tool; nothing for an error that is in no tool. */
export function findBroken(problems: readonly ToolProblem[], curation: Curation): readonly EntryPath[] {
  const toolOf = openToolFinder(curation);
  return problems.flatMap((problem) => {
    // What lint minds is compiled all the same.
    if (problem.severity !== "error" || problem.isRule === true) return [];
    const tool = problem.tool ?? toolOf(problem);
    if (tool === undefined) return [];
    // Of a field written at length its path is what is wrong.
    const isHere = (path: EntryPath) =>
      [curation.locate(path, "key"), curation.locate(path, "value"), curation.locate([...path, "path"], "value")].some(
        (position) => isSame(position, problem),
      );
    return [partsOf(curation, tool).find(isHere) ?? ["tools", tool]];
  });
}

function isSame(a: SourcePosition, b: SourcePosition): boolean {
  return a.file === b.file && a.line === b.line && a.column === b.column;
}
