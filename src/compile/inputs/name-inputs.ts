import {
  type CurrentNode,
  expressionRoots,
  parseValue,
  type RootRead,
  type Roots,
  valueRoots,
} from "../../curation/expression.ts";
import type { CallStepEntry, ToolEntry, TotalsEntry, ValueEntry, ValueStepEntry } from "../../curation/format.ts";
import type { Json } from "../../model/json.ts";
import { nearestNames } from "../../model/nearest.ts";
import { onceFor } from "../../model/once-for.ts";
import { limitInput } from "./limit-input.ts";

const ANY_ROOT: Roots = ["input", "pins", "steps", "item", "captures", "env", "key"];

/** The inputs that some expression of a tool names: these do not go to the place of their own name. */
export function namedInputs(tool: ToolEntry): { has(name: string): boolean } {
  const reads = readsOfInputs(tool);
  // An expression that takes all of `input` names every one.
  if (reads.some(({ name }) => name === undefined)) return { has: () => true };
  return new Set(reads.map(({ name }) => name!));
}

/** Inputs that no expression names because it names one that does not exist: that is one mistake, told where the name stands. */
export function misspeltInputs(tool: ToolEntry): ReadonlySet<string> {
  const own = [...Object.keys(tool.input ?? {}), ...limitInput(tool).map(({ name }) => name)];
  const named = namedInputs(tool);
  const free = new Set(own.filter((name) => !named.has(name)));
  const unknown = readsOfInputs(tool).flatMap(({ name }) => (name === undefined || own.includes(name) ? [] : [name]));
  return new Set(unknown.flatMap((name) => nearestNames(name, free, 1)));
}

/** Asked for several times while a tool is compiled. */
const readsOfInputs = onceFor((tool: ToolEntry): readonly RootRead[] =>
  [...readsOfTexts(tool), ...bareReads(tool)].filter(({ root }) => root === "input"),
);

/** All `${…}` but those of requests beside the tool's own. A text with a fault is reported where its key is compiled. */
function readsOfTexts(tool: ToolEntry): RootRead[] {
  return textsOf(withoutSideArgs(tool) as unknown as Json).flatMap((text) => {
    const { value } = parseValue(text, ANY_ROOT);
    return value === undefined ? [] : valueRoots(value);
  });
}

/** What value lists, aggregates, companions and suggestions are asked with, and what a person is asked, says nothing of where an input goes in the tool's own request. */
function withoutSideArgs(tool: ToolEntry): object {
  const input = Object.values(tool.input ?? {}).map(({ valuesFrom: _listed, ...entry }) => entry);
  const { from, ...fields } = tool.filter?.fields ?? {};
  const own = from === undefined || "operation" in from ? fields : { ...fields, from };
  const { args: _args, ...totals } = { args: undefined, ...tool.result?.totals };
  return {
    ...tool,
    confirm: undefined,
    suggest: undefined,
    input,
    filter: { ...tool.filter, fields: own },
    result: { ...tool.result, totals, rest: {} },
  };
}

function textsOf(raw: Json): string[] {
  if (typeof raw === "string") return raw.includes("${") ? [raw] : [];
  return typeof raw === "object" && raw !== null ? Object.values(raw as Record<string, Json>).flatMap(textsOf) : [];
}

/** The keys that take an expression bare: over a body or a row, but for the conditions of `order` and all of steps, which read the roots. */
function bareReads({ result, errors, pages, steps }: ToolEntry): RootRead[] {
  const flow = Array.isArray(steps) ? steps : [];
  const fields = Object.values(result?.fields ?? {}).flatMap((field) =>
    typeof field === "string" ? [field] : [field.path, field.unit],
  );
  const ofSteps = flow.map((step) => ("pages" in step ? step.pages : undefined));
  const styles = [pages, ...ofSteps].flatMap((one) => (one === undefined || one === "none" ? [] : one));
  const rest = Object.values(result?.rest ?? {}).map((one) => one.of);
  const overBody = [result?.rows, ...valueTexts(result?.value), ...rest];
  const rules = Array.isArray(result?.order) ? result.order : [];
  const overData = [
    ...(steps === undefined ? overBody : []),
    ...fields,
    ...totalsTexts(result?.totals),
    ...styles.flatMap((style) => [style.more, "next" in style ? style.next : undefined]),
    ...flow.map((step) => ("all" in step ? step.all?.rows : undefined)),
    ...(errors ?? []).map((rule) => rule.when),
  ];
  const overRoots = [
    ...(steps === undefined ? [] : overBody),
    ...rules.map((rule) => (typeof rule === "string" ? undefined : rule.when)),
    ...flow.flatMap(stepTexts),
  ];
  return [...readsOf(overData, "data"), ...readsOf(overRoots, "roots")];
}

/** What of a step reads the roots. */
function stepTexts(step: CallStepEntry | ValueStepEntry): (string | undefined)[] {
  return "value" in step ? [step.when, step.value] : [step.when, step.forEach];
}

function readsOf(texts: readonly (string | undefined)[], current: CurrentNode): RootRead[] {
  const bare = texts.filter((text) => text !== undefined && !text.includes("${")) as string[];
  return bare.flatMap((jmespath) => expressionRoots({ jmespath }, current));
}

function totalsTexts(totals: TotalsEntry | undefined): (string | undefined)[] {
  if (totals === undefined) return [];
  if ("count" in totals) return [totals.count, totals.exactWhen];
  const caveats = (totals.caveats ?? []).map(({ when }) => when);
  return ["value" in totals ? totals.value : undefined, totals.unit, ...caveats];
}

function valueTexts(value: ValueEntry | undefined): string[] {
  if (value === undefined) return [];
  return typeof value === "string" ? [value] : Object.values(value).flatMap(valueTexts);
}
