import type { Curation } from "../../curation/format.ts";
import { once } from "../../model/once.ts";
import type { SourcePosition } from "../../model/problem.ts";

/** Finds the entry of `tools` in which something stands, by its key; what an anchor brought in stands where the anchor is. */
export function openToolFinder(curation: Curation): (position: SourcePosition) => string | undefined {
  const starts = once(() => startsOf(curation));
  return ({ file, line, column }) =>
    file === curation.file ? starts().findLast(({ at }) => !isBefore({ line, column }, at))?.tool : undefined;
}

type Place = Pick<SourcePosition, "line" | "column">;

/** Where each tool begins, and each part of the file that holds none, from the top down. */
function startsOf({ content, locate }: Curation): readonly { readonly tool?: string; readonly at: Place }[] {
  const parts = Object.keys(content).map((key) => ({ at: locate([key]) }));
  const tools = Object.keys(content.tools).map((tool) => ({ tool, at: locate(["tools", tool]) }));
  return [...parts, ...tools].toSorted((a, b) => (isBefore(a.at, b.at) ? -1 : Number(isBefore(b.at, a.at))));
}

function isBefore(a: Place, b: Place): boolean {
  return a.line < b.line || (a.line === b.line && a.column < b.column);
}
