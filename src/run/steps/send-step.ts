import { ToolError } from "../../model/errors.ts";
import type { CallStep, Step } from "../../model/step.ts";
import type { Stage } from "../errors/explain-throw.ts";
import { type Asking, openAsk } from "../exchange/ask-upstream.ts";
import type { Roots } from "../expressions/evaluate.ts";
import { askById } from "../identify/ask-by-id.ts";
import type { WhyPartial } from "../shape/withhold-sums.ts";
import { askStep, type StepAnswer } from "./ask-step.ts";
import { explainFailure, explainStep, type StepFailure } from "./explain-step.ts";
import type { Effects } from "./note-effects.ts";

/** What the steps of one call share. */
export interface StepsRunning {
  /** Its signal ends for all steps when one of them has failed. */
  readonly asking: Asking;
  readonly effects: Effects;
  /** Ends what is running. */
  readonly stop: (failure: unknown) => void;
}

/** What a step reads: inputs in the caller's form, and in the upstream's. */
export interface BothRoots {
  readonly roots: Roots;
  readonly wire: Roots;
  /** Of the steps before it. */
  readonly partial: WhyPartial;
}

export type SentStep = StepAnswer | { readonly failed: ToolError };

/** Sends a step once. `failed` is how one that is optional failed; any other failure is thrown, as the ToolError that ends the tool. */
export async function sendStep(step: Step & CallStep, both: BothRoots, running: StepsRunning): Promise<SentStep> {
  const { tool, toolset } = running.asking;
  const { key } = toolset.operations[step.call.operation]!;
  let stage: Stage = step.needs.length > 0 ? "reply" : "request";
  const reach = (next: Stage) => {
    stage = next;
    running.asking.reach(next);
  };
  const asking: Asking = { ...running.asking, ...both, reach };
  const send = step.optional === false ? askById(asking, step.forEach?.list) : openAsk(asking);
  try {
    return await askStep(step, asking, async (call) => {
      checkTime(asking);
      const answer = await send(call);
      if (!step.safe) running.effects.done(step.id, key);
      return answer;
    });
  } catch (error) {
    const failure: StepFailure = { error, step, stage, roots: both.roots };
    const explained = explainFailure(failure, tool);
    if (!step.safe) running.effects.failed(step.id, key, explained);
    if (step.optional === explained.detail.upstream?.status) return { value: null, omitted: [] };
    if (step.optional === true && mayFail(explained, asking)) return { failed: explained };
    throw explainStep(failure, tool, running.effects);
  }
}

/** What nothing may hide: that the call was cancelled, that an argument would outdo a pin, and faults of ours. */
function mayFail({ code }: ToolError, { caller }: Asking): boolean {
  return !caller.signal.aborted && code !== "cancelled" && code !== "pinned_argument" && code !== "internal";
}

/** No answer comes in less, and a timer that ended the step before may have been a little early. */
const LEAST_MS = 5;

/** Nothing begins once the call is cancelled or its time is up: a write would be sent, and its answer not awaited. */
function checkTime({ caller, deadlineAt, tool }: Asking): void {
  if (caller.signal.aborted) {
    const recover = "Call again if it is still wanted.";
    throw new ToolError("cancelled", { message: "The call was cancelled before it was sent.", recover });
  }
  if (performance.now() < deadlineAt - LEAST_MS) return;
  throw new ToolError("upstream_timeout", {
    message: `The ${tool.deadlineMs / 1_000} s that the whole call may take were over before it was sent.`,
    recover: "Ask for less, for example a shorter range or a smaller page, or call again later.",
    retryable: true,
  });
}
