import { exposeToolset } from "../../model/group/expose-toolset.ts";
import { type ListedTool, listedTool } from "../../model/listed-tool.ts";
import type { Toolset } from "../../model/tool.ts";
import { estimateTokens, measureList } from "../../surface/measure-cost.ts";

export interface ToolsetCost {
  readonly list: number;
  /** By name. */
  readonly tools: ReadonlyMap<string, number>;
}

/** Tokens of the list of tools, and of each tool. */
export async function costOf(toolset: Toolset): Promise<ToolsetCost> {
  const listed = listTools(toolset);
  const { list, tools: each } = await measureList(listed);
  return { list: list.tokens, tools: new Map(listed.map(({ name }, at) => [name, each[at]?.tokens ?? 0])) };
}

/** About the same, without the table that counting takes; seldom less. */
export function estimateCost(toolset: Toolset): ToolsetCost {
  const each = listTools(toolset).map((tool) => [tool.name, estimateTokens(JSON.stringify(tool))] as const);
  return { list: each.reduce((sum, [, tokens]) => sum + tokens, 0), tools: new Map(each) };
}

function listTools(toolset: Toolset): ListedTool[] {
  const { tools, server } = exposeToolset(toolset);
  return tools.map((tool) => listedTool(tool, server.structured));
}
