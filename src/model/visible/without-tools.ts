import type { Entity, ServerFace, Toolset } from "../tool.ts";
import { leaveOutTools } from "./leave-out-tools.ts";
import { withoutSentences } from "./without-sentences.ts";
import { writeInstructions } from "./write-instructions.ts";

/**
 * What a toolset is for a caller who may not see some of its tools, by the names that callers see: they are not in it, no text names them, nothing
 * leads to them, and identifiers that only they list are not told.
 */
export function withoutTools(toolset: Toolset, hidden: ReadonlySet<string>): Toolset {
  const gone = toolset.tools.filter(({ name }) => hidden.has(name));
  if (gone.length === 0) return toolset;
  const names = new Set(gone.flatMap(({ name, aliases = [] }) => [name, ...aliases]));
  const tools = toolset.tools.filter(({ name }) => !hidden.has(name)).map((tool) => leaveOutTools(tool, names));
  const entities = toolset.entities.map((entity) => (hidden.has(entity.tool) ? withoutSource(entity) : entity));
  const seen = { ...toolset, entities, tools };
  return { ...seen, server: faceWithout(seen, names) };
}

function withoutSource({ source: _, ...entity }: Entity): Entity {
  return entity;
}

function faceWithout({ server, tools, entities }: Toolset, names: ReadonlySet<string>): ServerFace {
  if (server.guide === undefined) return { ...server, instructions: withoutSentences(server.instructions, names) };
  const { written, leads } = server.guide;
  const guide = {
    written: withoutSentences(written, names),
    leads: leads
      .filter(([tool]) => !names.has(tool))
      .map(([tool, next]) => [tool, next.filter((one) => !names.has(one))] as const),
  };
  return { ...server, guide, instructions: writeInstructions(guide, tools, entities) };
}
