import type { Toolset } from "../../model/tool.ts";

/** The same tools, whatever the upstream says: it is not asked. */
export function inEveryState(toolset: Toolset): Toolset {
  return { ...toolset, tools: toolset.tools.map(({ states: _, ...tool }) => tool) };
}
