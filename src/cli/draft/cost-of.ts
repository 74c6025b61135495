import { exposeToolset } from "../../model/group/expose-toolset.ts";
import { listedTool } from "../../model/listed-tool.ts";
import type { Toolset } from "../../model/tool.ts";
import { measureList } from "../../surface/measure-cost.ts";

/** Tokens of the list of tools, and of each tool by its name. */
export async function costOf(
  toolset: Toolset,
): Promise<{ readonly list: number; readonly tools: ReadonlyMap<string, number> }> {
  const { tools, server } = exposeToolset(toolset);
  const { list, tools: each } = await measureList(tools.map((tool) => listedTool(tool, server.structured)));
  return { list: list.tokens, tools: new Map(tools.map(({ name }, at) => [name, each[at]?.tokens ?? 0])) };
}
