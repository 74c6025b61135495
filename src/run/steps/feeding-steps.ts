import type { Step } from "../../model/step.ts";
import type { Expression } from "../../model/value.ts";

/** The IDs of the steps whose results an expression is made of, theirs among them. */
export function feedingSteps({ jmespath }: Expression, steps: readonly Step[]): ReadonlySet<string> {
  const named = [...jmespath.matchAll(/\bsteps(?:\s*\.\s*(?:"([^"]+)"|([A-Za-z_]\w*)))?/g)].map(
    ([, quoted, plain]) => quoted ?? plain,
  );
  const isAll = named.includes(undefined);
  const found = new Set<number>();
  const add = (at: number) => {
    if (found.has(at)) return;
    found.add(at);
    steps[at]?.needs.forEach(add);
  };
  for (const [at, { id }] of steps.entries()) if (isAll || named.includes(id)) add(at);
  return new Set([...found].flatMap((at) => steps[at]?.id ?? []));
}
