import type { Tool, Toolset } from "../tool.ts";
import { callableNames } from "./callable-names.ts";
import { actionsOf } from "./expose-toolset.ts";

/** Of the names that call a tool of an exposed toolset, those of tools that never ask anybody before they do something. */
export function plainNames({ tools, ...rest }: Toolset): ReadonlySet<string> {
  return callableNames({ ...rest, tools: tools.filter((tool) => (actionsOf(tool) ?? [tool]).every(asksNobody)) });
}

/** What is called by way of `explore` may ask. */
function asksNobody({ confirm, plan }: Tool): boolean {
  return confirm === undefined && plan.kind !== "explore";
}
