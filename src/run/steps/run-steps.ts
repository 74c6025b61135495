import type { JsonObject } from "../../model/json.ts";
import type { Step } from "../../model/step.ts";
import type { Asking } from "../exchange/ask-upstream.ts";
import type { Omission } from "../shape/omit.ts";
import { linkSignal } from "./link-signal.ts";
import { noteEffects } from "./note-effects.ts";
import { orderSteps } from "./order-steps.ts";
import { partialStep } from "./partial-lists.ts";
import { runInOrder } from "./run-in-order.ts";
import { runStep } from "./run-step.ts";
import type { BothRoots } from "./send-step.ts";
import type { StepGiven } from "./step-given.ts";

/** What steps gave. */
export interface StepsRun {
  /** By the step's ID, inputs in the caller's form: what the reply and a question read as `steps`. */
  readonly results: JsonObject;
  /** The same with inputs in the upstream's form: what bindings read as `steps`. */
  readonly wire: JsonObject;
  readonly omitted: readonly Omission[];
}

/**
 * Runs the steps of a workflow tool, or the first so many of them: each as soon as all that it needs have ended, steps that only read at the same time, one
 * that does not alone and in its turn. `before` is what the first of them gave in an earlier run; these are not run again. Throws ToolError, which names the
 * step that failed and what had taken effect by then; nothing runs on behind it.
 */
export async function runSteps(steps: readonly Step[], asking: Asking, before?: StepsRun): Promise<StepsRun> {
  const given = takeOver(steps, before);
  const link = linkSignal(asking.caller.signal);
  const caller = { ...asking.caller, signal: link.signal };
  const failures: unknown[] = [];
  const stop = (failure: unknown): void => {
    failures.push(failure);
    link.stop();
  };
  const running = { asking: { ...asking, caller }, effects: noteEffects(), stop };
  const run = async (at: number) => {
    const step = steps[at]!;
    if (given.has(step.id)) return;
    given.set(step.id, await runStep(step, rootsFor(asking, steps, given), running));
    tellProgress(asking, given.size, step);
  };
  try {
    await runInOrder(orderSteps(steps), run, stop);
  } catch (error) {
    // A step that was stopped may have ended before the one that failed, which waits for its other items.
    throw failures[0] ?? error;
  } finally {
    link.release();
  }
  return resultsOf(steps, given);
}

function takeOver(steps: readonly Step[], before: StepsRun | undefined): Map<string, StepGiven> {
  const known = steps.filter(({ id }) => before !== undefined && Object.hasOwn(before.results, id));
  const given = known.map(({ id }, at): [string, StepGiven] => {
    const { results, wire, omitted } = before!;
    // Which step left what out no longer matters: all of it is told.
    return [id, { shown: results[id]!, wire: wire[id]!, omitted: at === 0 ? omitted : [] }];
  });
  return new Map(given);
}

/** What a step reads: where both forms are the same, they are one object. */
function rootsFor(asking: Asking, steps: readonly Step[], given: ReadonlyMap<string, StepGiven>): BothRoots {
  const ended = resultsOf(steps, given);
  return {
    roots: { ...asking.roots, steps: ended.results },
    wire: { ...asking.wire, steps: ended.wire },
    partial: (path) => partialStep(path, { steps, ...ended }),
  };
}

function resultsOf(steps: readonly Step[], given: ReadonlyMap<string, StepGiven>): StepsRun {
  const ended = steps.flatMap(({ id }) => (given.has(id) ? [[id, given.get(id)!] as const] : []));
  const isSame = ended.every(([, { shown, wire }]) => shown === wire);
  const results = Object.fromEntries(ended.map(([id, { shown }]) => [id, shown]));
  return {
    results,
    wire: isSame ? results : Object.fromEntries(ended.map(([id, { wire }]) => [id, wire])),
    omitted: ended.flatMap(([, { omitted }]) => omitted),
  };
}

/** One who listens and fails must not fail the call. */
function tellProgress({ tool, caller }: Asking, done: number, { id }: Step): void {
  const total = tool.plan.kind === "steps" ? tool.plan.steps.length : done;
  try {
    caller.progress?.(done, total, id);
  } catch {}
}
