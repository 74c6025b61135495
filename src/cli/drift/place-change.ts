import { namesOf } from "../../compile/compile-toolset.ts";
import type { Curation } from "../../curation/format.ts";
import type { SourcePosition } from "../../model/problem.ts";
import type { Toolset } from "../../model/tool.ts";
import type { Change } from "../../surface/diff/change.ts";
import { placeChange } from "../../surface/diff/place-change.ts";
import { toolsByKey } from "../../surface/lint/tool-keys.ts";
import type { ToolProblem } from "../../surface/lint/waivers.ts";

export type Place = SourcePosition & Pick<ToolProblem, "tool" | "path">;

/** Where in a curation to look for what changed, and the key of the tool that it is about. */
export function openPlacer(curation: Curation, toolset: Toolset): (change: Pick<Change, "tool" | "path">) => Place {
  const listed = namesOf(curation, toolset.pins.length > 0);
  // Also of tools that were left out of the toolset.
  const keys = new Map(Object.keys(curation.content.tools).map((key) => [listed.get(key) ?? key, key]));
  for (const [key, { name, group }] of toolsByKey(curation, toolset)) {
    keys.set(name, key);
    if (group === undefined) continue;
    keys.set(`${group.tool}/${group.action}`, key);
    // What is about a group is looked for at the first of its tools.
    if (!keys.has(group.tool)) keys.set(group.tool, key);
  }
  return (change) => {
    const key = keys.get(change.tool ?? "");
    const at = curation.locate(placeChange(change, curation.content, key));
    return { ...at, ...(key !== undefined && { tool: key }), path: change.path };
  };
}
