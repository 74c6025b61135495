import type { Tool, Toolset } from "../tool.ts";
import { withoutTools } from "./without-tools.ts";

/** Which tools a server or a key shows: those with all tags of `all`, one of `any` where it names some, and none of `exclude`. */
export interface TagChoice {
  readonly all?: readonly string[];
  readonly any?: readonly string[];
  readonly exclude?: readonly string[];
}

/** The toolset without the tools that the choice leaves out. `describe_access` is shown to every caller; whoever is shown a choice explores nothing. */
export function hideByTags(toolset: Toolset, choice: TagChoice): Toolset {
  const isFree = Object.values(choice).every((list) => list === undefined || list.length === 0);
  const left = toolset.tools.filter(({ plan, tags }) => {
    if (plan.kind === "access") return false;
    // It calls what the hidden tools call.
    return plan.kind === "explore" ? !isFree : !isChosen({ tags }, choice);
  });
  return withoutTools(toolset, new Set(left.map(({ name }) => name)));
}

function isChosen({ tags }: Pick<Tool, "tags">, { all = [], any = [], exclude = [] }: TagChoice): boolean {
  if (!all.every((tag) => tags.includes(tag))) return false;
  if (any.length > 0 && !any.some((tag) => tags.includes(tag))) return false;
  return !exclude.some((tag) => tags.includes(tag));
}
