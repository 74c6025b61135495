import type { Toolset } from "../tool.ts";
import { withoutTools } from "./without-tools.ts";

/** The toolset without the tools that write: what it is for a caller who only reads. */
export function hideWrites(toolset: Toolset): Toolset {
  const writing = toolset.tools.filter(({ annotations }) => !annotations.readOnlyHint);
  return withoutTools(toolset, new Set(writing.map(({ name }) => name)));
}
