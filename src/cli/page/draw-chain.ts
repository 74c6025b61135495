import type { Toolset } from "../../model/tool.ts";
import type { PageChain, PageLink } from "../../web/page-data.ts";
import { nodeOf, openNodes } from "./name-nodes.ts";
import { readReasons } from "./read-reasons.ts";
import { runsOf } from "./runs-of.ts";

/** Which of these tools gives what another one needs, and which follow each other. What a caller does not see is in neither. */
export function drawChain(seen: Toolset): PageChain {
  const { tools, server, entities } = seen;
  const find = openNodes(seen);
  const links: PageLink[] = [];
  const link = (from: string | undefined, to: string | undefined, more: Omit<PageLink, "from" | "to">): void => {
    if (from !== undefined && to !== undefined && from !== to) links.push({ from, to, ...more });
  };
  const sources = new Map(entities.map(({ name, tool }) => [name, find(tool)?.id]));
  for (const tool of tools) {
    const { id } = nodeOf(tool);
    for (const { name, entity, valuesFrom } of tool.inputs) {
      if (entity !== undefined) link(sources.get(entity), id, { kind: "identifier", label: entity, input: name });
      const values = find(valuesFrom?.tool ?? "")?.id;
      if (values !== undefined) link(values, id, { kind: "values", label: name, input: name });
    }
    const fields = find(tool.filter?.from?.tool ?? "")?.id;
    if (fields !== undefined) link(fields, id, { kind: "values", label: "fields to filter by", input: "filter" });
    for (const { tool: next, args, why } of tool.suggest ?? [])
      link(id, find(next, args)?.id, { kind: "suggests", label: why });
  }
  const described = new Map(tools.map((tool) => [nodeOf(tool).id, tool.description]));
  for (const [from, next] of server.guide?.leads ?? []) {
    const id = find(from)?.id;
    const reasons = readReasons(described.get(id ?? "") ?? "", next);
    for (const to of next) {
      const label = reasons.get(to);
      link(id, find(to)?.id, { kind: "next", ...(label !== undefined && { label }) });
    }
  }
  return { nodes: tools.map((tool) => ({ ...nodeOf(tool), runs: runsOf(tool, seen) })), links: distinct(links) };
}

function distinct(links: readonly PageLink[]): readonly PageLink[] {
  return [...new Map(links.map((link) => [JSON.stringify(link), link])).values()];
}
