import type { Step } from "../../model/step.ts";

/**
 * What each step waits for: what it needs, and whatever the toolset says, a step that does not only read waits for all steps above it, and all below
 * wait for it.
 */
export function orderSteps(steps: readonly Step[]): readonly (readonly number[])[] {
  const acts = steps.map((step) => step.kind === "call" && !step.safe);
  return steps.map(({ needs }, at) => {
    const above = [...Array(at).keys()];
    return [...new Set([...needs, ...above.filter((one) => acts[at] || acts[one])])];
  });
}
