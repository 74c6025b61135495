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

/** What an estimate is sure of. */
const SURELY = 0.95;

/** The same, but only about where the list surely keeps within a budget: a number that decides nothing is not worth the time to count. */
export async function costWithin(toolset: Toolset, budget: number): Promise<ToolsetCost> {
  const about = estimateTokens(JSON.stringify(listTools(toolset)));
  return about <= budget * SURELY ? { list: about, tools: new Map() } : costOf(toolset);
}

function listTools(toolset: Toolset): ListedTool[] {
  const { tools, server } = exposeToolset(toolset);
  return tools.map((tool) => listedTool(tool, server.structured));
}
