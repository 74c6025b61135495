import { toolsByKey } from "../../surface/lint/tool-keys.ts";
import type { ToolProblem } from "../../surface/lint/waivers.ts";
import type { Looked } from "./find-problems.ts";

/** Runs the examples of a curation. What running needs is loaded only where there is one. */
export async function checkExamples({ request, curation, api, toolset }: Looked): Promise<readonly ToolProblem[]> {
  const hasNone = Object.values(curation.content.tools).every(({ examples = [] }) => examples.length === 0);
  if (hasNone || toolset === undefined) return [];
  const { runExamples } = await import("../examples/run-examples.ts");
  return runExamples(toolset, toolsByKey(curation, toolset), { curation, api, file: request.file, root: request.root });
}
