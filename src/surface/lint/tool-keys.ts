import { namesOf } from "../../compile/compile-toolset.ts";
import type { Curation } from "../../curation/format.ts";
import type { Tool, Toolset } from "../../model/tool.ts";

/** The tools of the curation that were compiled, by their key in it, in its order. */
export function toolsByKey(curation: Curation, toolset: Toolset): ReadonlyMap<string, Tool> {
  const emitted = new Map(toolset.tools.map((tool) => [tool.name, tool]));
  const names = namesOf(curation, toolset.pins.length > 0);
  return new Map(
    Object.keys(curation.content.tools).flatMap((key) => {
      const tool = emitted.get(names.get(key) ?? key);
      return tool === undefined ? [] : [[key, tool] as const];
    }),
  );
}

/** The keys behind each entry of the list that callers see: several where tools are shown as a group, none for the server's own. */
export function keysByListedName(tools: ReadonlyMap<string, Tool>): ReadonlyMap<string, readonly string[]> {
  const keys = new Map<string, string[]>();
  for (const [key, { name, group }] of tools) {
    const listed = group?.tool ?? name;
    keys.set(listed, [...(keys.get(listed) ?? []), key]);
  }
  return keys;
}
