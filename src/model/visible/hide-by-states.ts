import type { Toolset } from "../tool.ts";
import { withoutTools } from "./without-tools.ts";

/** The toolset without the tools that need a state which does not hold. */
export function hideByStates(toolset: Toolset, holding: ReadonlySet<string>): Toolset {
  const out = toolset.tools.filter(({ states = [] }) => !states.every((state) => holding.has(state)));
  return withoutTools(toolset, new Set(out.map(({ name }) => name)));
}
