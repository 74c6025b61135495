import { ROOTS } from "../../curation/expression.ts";
import type { CallStepEntry, ToolEntry, ValueStepEntry } from "../../curation/format.ts";
import { openTarget } from "../calls/open-target.ts";
import { readArgs } from "../inputs/read-args.ts";
import type { Sent } from "../inputs/sent-value.ts";
import type { EntryPath, Report } from "../open-report.ts";
import type { Target } from "../places/request-places.ts";
import { selectOperation } from "../places/select-operation.ts";
import type { ToolContext } from "../tool-context.ts";
import { isSafe } from "../words/annotate-tool.ts";

export type StepEntry = CallStepEntry | ValueStepEntry;

/** A step with the operation that it sends. */
export type OpenStep = { readonly at: EntryPath } & (
  | { readonly kind: "value"; readonly entry: ValueStepEntry }
  /** Without `request` there is no such operation, which was reported. */
  | { readonly kind: "call"; readonly entry: CallStepEntry; readonly request?: StepRequest }
);

export interface StepRequest {
  readonly target: Target;
  /** It only reads. */
  readonly safe: boolean;
  /** What the step's own arguments say, and the inputs that go to it by their names. */
  readonly sent: readonly Sent[];
}

export type RequestStep = Extract<OpenStep, { kind: "call" }> & { readonly request: StepRequest };

/** The steps of a tool, each with its operation and what its `args` send where. */
export function openSteps(
  steps: readonly StepEntry[],
  tool: ToolEntry,
  at: EntryPath,
  context: ToolContext,
  report: Report,
): OpenStep[] {
  return steps.map((entry, index): OpenStep => {
    const here = [...at, "steps", index];
    if ("value" in entry) return { kind: "value", entry, at: here };
    const operation = selectOperation(entry.operation, [...here, "operation"], context.api, report);
    if (operation === undefined) return { kind: "call", entry, at: here };
    const target = openTarget(choicesOf(entry, tool), here, operation, context, report);
    const sent = readArgs(entry.args, [...here, "args"], target, context.pins, report, ROOTS.item);
    const { method } = operation;
    const { effect } = entry;
    const safe = isSafe({ method, ...(effect !== undefined && { effect }) }, tool);
    return { kind: "call", entry, at: here, request: { target, safe, sent } };
  });
}

/** `unchecked` of a tool holds for all that it sends. */
function choicesOf({ accept, contentType, unchecked }: CallStepEntry, tool: ToolEntry) {
  return {
    ...(accept !== undefined && { accept }),
    ...(contentType !== undefined && { contentType }),
    unchecked: unchecked ?? tool.unchecked ?? false,
  };
}

export function requestsOf(steps: readonly OpenStep[]): RequestStep[] {
  return steps.filter(isRequest);
}

export function isRequest(step: OpenStep): step is RequestStep {
  return step.kind === "call" && step.request !== undefined;
}
