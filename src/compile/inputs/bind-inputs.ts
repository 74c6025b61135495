import { valueRoots } from "../../curation/expression.ts";
import type { InputEntry, ToolEntry } from "../../curation/format.ts";
import type { Binding, FilledPlace } from "../../model/call.ts";
import { placeText } from "../../model/place.ts";
import type { Input } from "../../model/tool.ts";
import type { Value } from "../../model/value.ts";
import { pinsOfAlways, readAlways } from "../filter/read-always.ts";
import type { EntryPath, Report } from "../open-report.ts";
import { bindPins } from "../pins/bind-pins.ts";
import type { PinPlan } from "../pins/plan-pins.ts";
import { findPlace, listNames, type PlaceProblem } from "../places/find-place.ts";
import type { Target } from "../places/request-places.ts";
import { checkArguments, checkUnits } from "./check-arguments.ts";
import { fillRequired } from "./fill-required.ts";
import { limitInput } from "./limit-input.ts";
import { misspeltInputs, namedInputs } from "./name-inputs.ts";
import { neededInputs } from "./needed-inputs.ts";
import { bindSent, readArgs, readPlace, reportTwice } from "./read-args.ts";
import { finishInput, type InputDraft, readInput } from "./read-input.ts";
import type { Sent } from "./sent-value.ts";

export interface BoundCall {
  readonly inputs: readonly Input[];
  /** In the order in which they are applied; pinned ones last. */
  readonly bindings: readonly Binding[];
}

/**
 * What a tool sends where: its arguments, each input that no expression names at the place of its own name, and the pins over all. `running`
 * are places that are filled while running, by a filter or by paging.
 */
export function bindInputs(
  tool: ToolEntry,
  at: EntryPath,
  target: Target,
  pins: readonly PinPlan[],
  running: readonly FilledPlace[],
  report: Report,
): BoundCall {
  const sent = readSent(tool, at, target, pins, report);
  reportTwice(sent, report);
  const drafts = readInputs(tool, at, sent, target, report);
  const pinned = bindPins(pins, tool, at, target, pinsOfAlways(tool.filter), report);
  checkUnits(tool, at, pins, report);
  reportUnsent(tool, at, sent, target, report);
  const needed = neededInputs(drafts, sent, pinned);
  const inputs = [...drafts.map((draft) => finishInput(draft, needed.has(draft.input.name))), ...limitInput(tool)];
  checkArguments(sent, inputs, pins, target, report);
  const filled = fillRequired({ sent, pinned, running }, tool, at, target, report);
  const isNeeded = (one: Sent) =>
    one.site.required.every(Boolean) || (one.whole !== undefined && needed.has(one.whole));
  return { inputs, bindings: [...sent.map((one) => bindSent(one, target, isNeeded(one))), ...filled, ...pinned] };
}

/** What a tool sends by itself: its arguments, and the inputs that go to the place of their own name. */
export function readSent(
  tool: ToolEntry,
  at: EntryPath,
  target: Target,
  pins: readonly PinPlan[],
  report: Report,
): Sent[] {
  return [
    ...readArgs(tool.args, [...at, "args"], target, pins, report),
    ...readOwnPlaces(tool, at, target, pins, report),
  ];
}

/** Inputs of a pin's name, which no caller sets. */
export function reportPinned(tool: ToolEntry, at: EntryPath, pins: readonly PinPlan[], report: Report): void {
  const hint = "Take the input out, or call it otherwise.";
  for (const name of Object.keys(tool.input ?? {}).filter((one) => isPinned(one, pins)))
    report.add("error", "pinned_place", [...at, "input", name], `\`${name}\` is pinned, so no caller sets it.`, hint);
}

export function isPinned(name: string, pins: readonly PinPlan[]): boolean {
  return pins.some((one) => one.name.toLowerCase() === name.toLowerCase());
}

function readOwnPlaces(
  tool: ToolEntry,
  at: EntryPath,
  target: Target,
  pins: readonly PinPlan[],
  report: Report,
): Sent[] {
  const named = namedInputs(tool);
  const misspelt = misspeltInputs(tool);
  reportPinned(tool, at, pins, report);
  return Object.keys(tool.input ?? {}).flatMap((name): Sent[] => {
    const here = [...at, "input", name];
    if (isPinned(name, pins) || named.has(name)) return [];
    const value: Value = { kind: "expression", expression: { jmespath: `input.${name}` } };
    if (misspelt.has(name) && findPlace(name, target).kind === "problem") return [];
    const site = findPlace(ownPlace(name, target), target);
    if (site.kind === "problem" && site.code === "unknown_place") {
      report.add("error", site.code, here, site.message, hintOwnName(name, site));
      return [];
    }
    return readPlace(ownPlace(name, target), value, here, target, pins, report);
  });
}

/** Whoever misspelt a name is told the right one first, and whoever chose another how it is sent. */
function hintOwnName(name: string, { hint = "", nearest = "" }: Pick<PlaceProblem, "hint" | "nearest">): string {
  const place = /^[\w.-]+$/.test(nearest) ? nearest : "PLACE";
  return `${hint} A name of your own is sent by args: { ${place}: "\${input.${name}}" }.`.trim();
}

/** An input called `body` goes to the property of that name where the body has one. */
export function ownPlace(name: string, target: Target): string {
  const isProperty = name === "body" && listNames(target).some((one) => one.name === "body" && one.place.in === "body");
  return isProperty ? "body/body" : name;
}

/** An input that only a reply reads, though the operation has its place: whoever asks by it would be answered as if they had not. */
function reportUnsent(tool: ToolEntry, at: EntryPath, sent: readonly Sent[], target: Target, report: Report): void {
  const values = [...sent.map(({ value }) => value), ...readAlways(tool.filter ?? {}).map(([, value]) => value)];
  const read = new Set(values.flatMap((value) => valueRoots(value).map(({ root, name }) => `${root}.${name}`)));
  for (const [name, { type, enum: values, as }] of Object.entries(tool.input ?? {})) {
    const isTyped = type !== undefined || values !== undefined || as !== undefined;
    // What the rows are searched for here need not be searched for there.
    if (!isTyped || read.has(`input.${name}`) || tool.result?.search === `\${input.${name}}`) continue;
    const site = findPlace(ownPlace(name, target), target);
    if (site.kind !== "site" || sent.some((one) => placeText(one.site.place) === placeText(site.place))) continue;
    const message = `An expression names \`${name}\`, so it does not go to \`${placeText(site.place)}\`.`;
    const hint = `Send it as well: args: { ${name}: "\${input.${name}}" }.`;
    report.add("warning", "input_unsent", [...at, "input", name], message, hint);
  }
}

function readInputs(
  tool: ToolEntry,
  at: EntryPath,
  sent: readonly Sent[],
  target: Target,
  report: Report,
): InputDraft[] {
  return Object.entries(tool.input ?? {}).flatMap(([name, entry]: [string, InputEntry]) => {
    const first = sent.find((one) => one.whole === name);
    const lost = first === undefined && !namedInputs(tool).has(name);
    // An input without a place was reported, and its type would only be a second finding.
    const known: InputEntry = lost && entry.type === undefined ? { ...entry, type: "json" } : entry;
    return [readInput(name, known, [...at, "input", name], first?.site, target, report)];
  });
}
