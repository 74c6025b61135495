import type { Toolset } from "../../model/tool.ts";
import { loadAjv } from "./check-residual.ts";
import { loadPatternMatcher } from "./match-pattern.ts";

/** Loads the packages that calls of a toolset check arguments with. */
export async function loadEngines(toolset: Toolset): Promise<void> {
  await loadPatternMatcher();
  if (checksSchemas(toolset)) await loadAjv();
}

function checksSchemas({ tools, operations }: Toolset): boolean {
  const inputs = tools.flatMap((tool) => tool.inputs);
  return (
    operations.some((plan) => plan.body?.check !== undefined) ||
    inputs.some(({ residual, identified }) => residual !== undefined || identified?.residual !== undefined)
  );
}
