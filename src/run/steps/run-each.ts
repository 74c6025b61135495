import { ToolError } from "../../model/errors.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import type { CallStep, Step } from "../../model/step.ts";
import type { Omission } from "../shape/omit.ts";
import { explainStep } from "./explain-step.ts";
import { runInOrder } from "./run-in-order.ts";
import { type BothRoots, type SentStep, type StepsRunning, sendStep } from "./send-step.ts";
import { type StepGiven, sayFailure } from "./step-given.ts";

/**
 * Sends a step once for each of the first `max` items: at the same time where it only reads, else one after the other. Gives `{item, reply}` for each, and
 * `{item, error}` where an optional one failed. Throws the ToolError that ends the tool.
 */
export async function runEach(
  step: Step & CallStep,
  max: number,
  list: Pick<StepGiven, "shown" | "wire">,
  both: BothRoots,
  running: StepsRunning,
): Promise<StepGiven> {
  const wire = listOf(list.wire, step, both, running);
  const shown = listOf(list.shown, step, both, running);
  // Where an expression chose others among the caller's own words, what is sent counts.
  const items = wire
    .slice(0, max)
    .map((item, at) => ({ wire: item, shown: (shown.length === wire.length ? shown : wire)[at]! }));
  const sent: SentStep[] = [];
  await runInOrder(
    items.map((_, at) => (step.safe || at === 0 ? [] : [at - 1])),
    async (at) => {
      const item = items[at]!;
      const roots = { ...both, roots: { ...both.roots, item: item.shown }, wire: { ...both.wire, item: item.wire } };
      sent[at] = await sendStep(step, roots, running);
    },
    running.stop,
  );
  const give = (form: "shown" | "wire") => items.map((item, at) => pair(item[form], sent[at]!));
  const beyond: Omission[] =
    wire.length > max ? [{ what: "items", path: step.id, kept: `${max} of ${wire.length}` }] : [];
  return { shown: give("shown"), wire: give("wire"), omitted: [...beyond, ...tellItems(step, sent)] };
}

function pair(item: Json, sent: SentStep): JsonObject {
  if (!("failed" in sent)) return { item, reply: sent.value };
  const { code, message } = sent.failed;
  return { item, error: { error: code, message } };
}

function tellItems({ id: path, safe }: Step & CallStep, sent: readonly SentStep[]): Omission[] {
  const failures = sent.flatMap((one) => ("failed" in one ? [one.failed] : []));
  const [first] = failures;
  const inside = sent.flatMap((one, at) =>
    "failed" in one ? [] : one.omitted.map((cut) => ({ ...cut, path: `${path}[${at}].reply` })),
  );
  if (first === undefined) return inside;
  const kept = `${sent.length - failures.length} of ${sent.length}: ${sayFailure(first, { safe })}`;
  return [{ what: "step", path, kept }, ...inside];
}

function listOf(list: Json, step: Step & CallStep, { roots }: BothRoots, running: StepsRunning): readonly Json[] {
  if (list === null) return [];
  if (Array.isArray(list)) return list;
  const error = new ToolError("upstream_bad_response", {
    message: `\`${step.forEach!.list.jmespath.slice(0, 100)}\` gives no list to go through.`,
    recover: "Arguments do not change this: tell the user that the API's answer does not fit this tool.",
    retryable: false,
  });
  throw explainStep({ error, step, stage: "reply", roots }, running.asking.tool, running.effects);
}
