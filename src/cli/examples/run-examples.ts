import type { Problem } from "../../model/problem.ts";
import type { Tool, Toolset } from "../../model/tool.ts";
import { type ExampleGround, readExample } from "./read-example.ts";
import { runExample } from "./run-example.ts";

/** Runs every example of these tools (by their key in the curation), without a network or a secret. Problems stand at the example's lines. */
export async function runExamples(
  toolset: Toolset,
  tools: ReadonlyMap<string, Tool>,
  ground: ExampleGround,
): Promise<Problem[]> {
  const { curation } = ground;
  const problems: Problem[] = [];
  for (const [key, tool] of tools)
    for (const [index, entry] of (curation.content.tools[key]?.examples ?? []).entries()) {
      const at = ["tools", key, "examples", index];
      const { files, problems: unread } = readExample(entry, at, ground);
      problems.push(...unread);
      if (files === undefined) continue;
      const faults = await runExample(entry, files, tool, toolset);
      for (const { at: place, ...fault } of faults)
        problems.push({ ...fault, ...curation.locate([...at, ...place], "value") });
    }
  return problems;
}
