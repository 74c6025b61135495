import type { ToolEntry } from "../../curation/format.ts";
import { openCalls } from "../calls/draft-call.ts";
import { nameEntities } from "../entities/name-entities.ts";
import { bindValuesFrom } from "../filter/bind-values-from.ts";
import { finishTool } from "../finish-tool.ts";
import { checkArguments, checkUnits } from "../inputs/check-arguments.ts";
import { reportTwice } from "../inputs/read-args.ts";
import { openReport } from "../open-report.ts";
import { bindPins, checkUnpinned } from "../pins/bind-pins.ts";
import { buildShape } from "../reply/build-shape.ts";
import type { ToolContext, ToolOutcome } from "../tool-context.ts";
import { annotateTool } from "../words/annotate-tool.ts";
import { checkWords } from "../words/check-words.ts";
import { nameToolsInInputs } from "../words/name-tools-in-inputs.ts";
import { placeInputs, readStepInputs, reportUnsent } from "./bind-step-inputs.ts";
import { bindStepPages, buildSteps } from "./build-steps.ts";
import { checkEffects } from "./check-effects.ts";
import { flowList, resultOf } from "./flow-result.ts";
import { openSteps, requestsOf, type StepEntry } from "./open-steps.ts";
import { checkReads } from "./read-steps.ts";
import { typeSteps } from "./type-steps.ts";

const NOTHING: ReadonlySet<string> = new Set();

/** A tool of several steps (contract section 1, Workflow tools). Left out where an operation of one is broken in the spec, or writes are left out. */
export function compileSteps(
  name: string,
  written: ToolEntry,
  entries: readonly StepEntry[],
  context: ToolContext,
): ToolOutcome {
  const at = ["tools", name];
  const { curation, api, names } = context;
  const report = openReport(curation);
  const opened = openSteps(entries, written, at, context, report);
  const effect = annotateTool(
    written,
    at,
    requestsOf(opened).map(({ entry: { effect }, request }) => ({
      method: request.target.operation.method,
      ...(effect !== undefined && { effect }),
    })),
    curation,
  );
  if (!effect.safe && context.readOnly) return { problems: [] };
  checkEffects(opened, written, at, curation, report);
  const entry = { ...written, result: resultOf(written, opened, at, report) };

  const steps = placeInputs(opened, entry, at, context.pins, report);
  checkReads(steps, report);
  checkUnpinned(context.pins, entry, at, report);
  const requests = requestsOf(steps);
  const pinned = new Map(
    requests.map((step) => [step, bindPins(context.pins, entry, step.at, step.request.target, NOTHING, report)]),
  );
  const { inputs: read, needed } = readStepInputs(steps, pinned, entry, at, report);
  reportUnsent(steps, entry, at, report);
  checkUnits(entry, at, context.pins, report);
  const told = nameToolsInInputs(read, entry, at, names, report);
  const named = nameEntities(told, entry, at, context, report);
  for (const { request } of requests) {
    reportTwice(request.sent, report);
    checkArguments(request.sent, named, context.pins, request.target, report);
  }

  const calls = openCalls();
  const pages = bindStepPages(steps, context, report);
  const plan = buildSteps(steps, entry, { pages, pinned, needed, calls }, context, report);
  const inputs = bindValuesFrom({ context, tool: entry, at, inputs: named, calls, report });
  const pins = context.pins.map((pin) => pin.name);
  const types = typeSteps(steps, { api, inputs, pins, pages, report });
  if (plan === undefined) return { problems: [...report.problems, ...checkWords(name, entry, at, context)] };
  const { comparable } = context;
  const structured = curation.content.server.structured ?? true;
  const list = flowList(effect.safe, report);
  const shaped = buildShape(entry, at, {
    curation,
    api,
    names,
    inputs,
    pins,
    steps: types,
    list,
    structured,
    comparable,
  });
  return finishTool({
    ...{ name, entry, at, context, report, effect, inputs, calls, shaped },
    steps: types,
    plan: { kind: "steps", steps: plan },
    placeOf: (target) => [...(requests.find(({ request }) => request.target === target)?.at ?? at), "operation"],
  });
}
