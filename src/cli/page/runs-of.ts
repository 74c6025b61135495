import { callsOf } from "../../model/map-calls.ts";
import { onlyReads } from "../../model/only-reads.ts";
import type { Tool, Toolset } from "../../model/tool.ts";
import type { Runs } from "../../web/page-data.ts";

/**
 * Whether the page runs a tool: only one that says that it reads, and so asks nobody first, and can send nothing but reads, also where it is declared otherwise.
 * A group runs where all of its actions do.
 */
export function runsOf(tool: Tool, { operations }: Pick<Toolset, "operations">): Runs {
  if (!tool.annotations.readOnlyHint) return "shows";
  const sends = callsOf(tool).map(({ operation }) => operations[operation]);
  return sends.every((one) => one !== undefined && onlyReads(one)) ? "tries" : "shows";
}
