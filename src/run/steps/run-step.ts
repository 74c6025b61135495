import { isDeepStrictEqual } from "node:util";
import type { Json } from "../../model/json.ts";
import type { CallStep, Step } from "../../model/step.ts";
import type { Expression } from "../../model/value.ts";
import { holds } from "../errors/holds.ts";
import { evaluateExpression } from "../expressions/evaluate.ts";
import type { Omission } from "../shape/omit.ts";
import { tellWithheld, withholdSums } from "../shape/withhold-sums.ts";
import { explainStep } from "./explain-step.ts";
import { runEach } from "./run-each.ts";
import { type BothRoots, type StepsRunning, sendStep } from "./send-step.ts";
import { type StepGiven, sayFailure } from "./step-given.ts";

/** Runs one step whose needs are met. Throws the ToolError that ends the tool. */
export async function runStep(step: Step, both: BothRoots, running: StepsRunning): Promise<StepGiven> {
  if (step.when !== undefined && !holds(step.when, both.roots, both.roots)) return giveSame(null, []);
  if (step.kind === "value") return readStep(step, step.value, both, running);
  if (step.forEach === undefined) return runOnce(step, both, running);
  const list = readStep(step, step.forEach.list, both, running);
  return runEach(step, step.forEach.max, list, both, running);
}

async function runOnce(step: Step & CallStep, both: BothRoots, running: StepsRunning): Promise<StepGiven> {
  const sent = await sendStep(step, both, running);
  if (!("failed" in sent)) return giveSame(sent.value, sent.omitted);
  return giveSame(null, [{ what: "step", path: step.id, kept: `nothing: ${sayFailure(sent.failed, step)}` }]);
}

function giveSame(value: Json, omitted: readonly Omission[]): StepGiven {
  return { shown: value, wire: value, omitted };
}

function readStep(
  step: Step,
  expression: Expression,
  { roots, wire, partial }: BothRoots,
  running: StepsRunning,
): StepGiven {
  const stage = step.needs.length > 0 ? "reply" : "request";
  try {
    const withheld = withholdSums(expression, partial);
    const shown = evaluateExpression(expression, roots, roots, withheld?.cells);
    const same = roots.steps === wire.steps && isDeepStrictEqual(roots.input, wire.input);
    const omitted = withheld === undefined ? [] : [tellWithheld(step.id, withheld)];
    return { shown, wire: same ? shown : evaluateExpression(expression, wire, wire, withheld?.cells), omitted };
  } catch (error) {
    throw explainStep({ error, step, stage, roots }, running.asking.tool, running.effects);
  }
}
