import { valueRoots } from "../../curation/expression.ts";
import type { InputEntry, ToolEntry } from "../../curation/format.ts";
import type { Binding } from "../../model/call.ts";
import { nearestNames } from "../../model/nearest.ts";
import { placeText } from "../../model/place.ts";
import type { Input } from "../../model/tool.ts";
import type { Value } from "../../model/value.ts";
import { isPinned, ownPlace, reportPinned } from "../inputs/bind-inputs.ts";
import { limitInput } from "../inputs/limit-input.ts";
import { misspeltInputs, namedInputs } from "../inputs/name-inputs.ts";
import { neededInputs } from "../inputs/needed-inputs.ts";
import { readPlace } from "../inputs/read-args.ts";
import { finishInput, type InputDraft, readInput } from "../inputs/read-input.ts";
import type { Sent } from "../inputs/sent-value.ts";
import { type EntryPath, hintFor, type Report } from "../open-report.ts";
import type { PinPlan } from "../pins/plan-pins.ts";
import { findPlace, listNames, type PlaceProblem, type Site } from "../places/find-place.ts";
import { isRequest, type OpenStep, type RequestStep, requestsOf } from "./open-steps.ts";
import { stepReads } from "./read-steps.ts";

/** The steps, each with the inputs that go to it because it is the first that has a place of their name. */
export function placeInputs(
  steps: readonly OpenStep[],
  tool: ToolEntry,
  at: EntryPath,
  pins: readonly PinPlan[],
  report: Report,
): OpenStep[] {
  reportPinned(tool, at, pins, report);
  const named = namedInputs(tool);
  const free = Object.keys(tool.input ?? {}).filter((name) => !named.has(name) && !isPinned(name, pins));
  const isWhole = steps.every((step) => step.kind === "value" || isRequest(step));
  // The step that an input is meant for may be the one without an operation.
  const open = (step: RequestStep, name: string) => isWhole || !isFilled(name, step);
  const placed = free.map((name) => [firstWithPlace(name, steps, open), name] as const);
  const misspelt = misspeltInputs(tool);
  for (const [step, name] of placed)
    if (step === undefined && isWhole && !misspelt.has(name))
      reportUnplaced(name, [...at, "input", name], steps, report);
  return steps.map((step) => {
    if (!isRequest(step)) return step;
    const { target, sent } = step.request;
    const own = placed.flatMap(([first, name]): Sent[] => {
      if (first !== step) return [];
      const value: Value = { kind: "expression", expression: { jmespath: `input.${name}` } };
      return readPlace(ownPlace(name, target), value, [...at, "input", name], target, pins, report);
    });
    return { ...step, request: { ...step.request, sent: [...sent, ...own] } };
  });
}

function firstWithPlace(
  name: string,
  steps: readonly OpenStep[],
  isOpen: (step: RequestStep, name: string) => boolean = () => true,
): RequestStep | undefined {
  return requestsOf(steps).find((step) => siteIn(step, name).kind === "site" && isOpen(step, name));
}

function siteIn({ request: { target } }: RequestStep, name: string): Site | PlaceProblem {
  return findPlace(ownPlace(name, target), target);
}

function isFilled(name: string, step: RequestStep): boolean {
  const site = siteIn(step, name);
  if (site.kind === "problem") return false;
  return step.request.sent.some((one) => placeText(one.site.place) === placeText(site.place));
}

function reportUnplaced(name: string, at: EntryPath, steps: readonly OpenStep[], report: Report): void {
  const problems = requestsOf(steps).map((step) => siteIn(step, name));
  const special = problems.find((one): one is PlaceProblem => one.kind === "problem" && one.code !== "unknown_place");
  if (special !== undefined) {
    report.add("error", special.code, at, special.message, special.hint);
    return;
  }
  const names = [
    ...new Set(
      requestsOf(steps)
        .flatMap(({ request }) => listNames(request.target))
        .map((one) => one.name),
    ),
  ];
  const hint = hintFor(nearestNames(name, names)) ?? `Name it in a step: args: { PLACE: "\${input.${name}}" }.`;
  report.add("error", "unknown_place", at, `No step has a place \`${name}\`, and no expression names it.`, hint);
}

export interface StepInputs {
  readonly inputs: readonly Input[];
  /** Those without which the tool cannot be run. */
  readonly needed: ReadonlySet<string>;
}

/** What callers may set: each input is what the first place is in which it stands whole, over all steps. */
export function readStepInputs(
  steps: readonly OpenStep[],
  pinned: ReadonlyMap<OpenStep, readonly Binding[]>,
  tool: ToolEntry,
  at: EntryPath,
  report: Report,
): StepInputs {
  const requests = requestsOf(steps);
  const isWhole = steps.every((step) => step.kind === "value" || isRequest(step));
  const named = namedInputs(tool);
  const drafts = Object.entries(tool.input ?? {}).map(([name, entry]: [string, InputEntry]): InputDraft => {
    const found = firstWhole(name, requests);
    const isLost = found === undefined && (!named.has(name) || !isWhole);
    // An input without a place was reported, and its type would only be a second finding.
    const known: InputEntry = isLost && entry.type === undefined ? { ...entry, type: "json" } : entry;
    return readInput(name, known, [...at, "input", name], found?.sent.site, found?.step.request.target, report);
  });
  // What only happens where a condition holds needs nothing of a caller beforehand.
  const certain = requests.filter(({ entry }) => entry.when === undefined);
  const needed = new Set(
    certain.flatMap((step) => [...neededInputs(drafts, step.request.sent, pinned.get(step) ?? [])]),
  );
  const inputs = [...drafts.map((draft) => finishInput(draft, needed.has(draft.input.name))), ...limitInput(tool)];
  return { inputs, needed };
}

function firstWhole(name: string, steps: readonly RequestStep[]): { step: RequestStep; sent: Sent } | undefined {
  for (const step of steps) {
    const sent = step.request.sent.find(({ whole }) => whole === name);
    if (sent !== undefined) return { step, sent };
  }
  return undefined;
}

/** An input that only the reply reads, though a step has its place: whoever asks by it would be answered as if they had not. */
export function reportUnsent(steps: readonly OpenStep[], tool: ToolEntry, at: EntryPath, report: Report): void {
  const reads = new Set(steps.flatMap(stepReads).flatMap(({ read }) => (read.root === "input" ? [read.name] : [])));
  if (reads.has(undefined)) return;
  for (const [name, { type, enum: values, as }] of Object.entries(tool.input ?? {})) {
    const isTyped = type !== undefined || values !== undefined || as !== undefined;
    if (!isTyped || reads.has(name) || tool.result?.search === `\${input.${name}}`) continue;
    const step = firstWithPlace(name, steps);
    if (step === undefined || step.request.sent.some(({ value }) => readsInput(value, name))) continue;
    const message = `An expression names \`${name}\`, so it does not go to step \`${step.entry.id}\`, which has its place.`;
    const hint = `Send it as well: args: { ${name}: "\${input.${name}}" }.`;
    report.add("warning", "input_unsent", [...at, "input", name], message, hint);
  }
}

function readsInput(value: Value, name: string): boolean {
  return valueRoots(value).some((read) => read.root === "input" && read.name === name);
}
