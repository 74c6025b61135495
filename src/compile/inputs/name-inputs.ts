import {
  type CurrentNode,
  expressionRoots,
  parseValue,
  type RootRead,
  type Roots,
  valueRoots,
} from "../../curation/expression.ts";
import type { ToolEntry, ValueEntry } from "../../curation/format.ts";
import type { Json } from "../../model/json.ts";
import { nearestNames } from "../../model/nearest.ts";
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

function readsOfInputs(tool: ToolEntry): RootRead[] {
  return [...readsOfTexts(tool), ...bareReads(tool)].filter(({ root }) => root === "input");
}

/** All `${…}`, wherever they stand. A text with a fault is reported where its key is compiled. */
function readsOfTexts(tool: ToolEntry): RootRead[] {
  return textsOf(tool as unknown as Json).flatMap((text) => {
    const { value } = parseValue(text, ANY_ROOT);
    return value === undefined ? [] : valueRoots(value);
  });
}

function textsOf(raw: Json): string[] {
  if (typeof raw === "string") return raw.includes("${") ? [raw] : [];
  return typeof raw === "object" && raw !== null ? Object.values(raw as Record<string, Json>).flatMap(textsOf) : [];
}

/** The keys that take an expression bare: over a body or a row, but for the conditions of `order`, which read the roots. */
function bareReads({ result, errors }: ToolEntry): RootRead[] {
  const fields = Object.values(result?.fields ?? {}).flatMap((field) =>
    typeof field === "string" ? [field] : [field.path, field.unit],
  );
  const totals = result?.totals !== undefined && "value" in result.totals ? [result.totals.value] : [];
  const rules = Array.isArray(result?.order) ? result.order : [];
  const overData = [
    result?.rows,
    ...fields,
    ...totals,
    ...valueTexts(result?.value),
    ...(errors ?? []).map((rule) => rule.when),
  ];
  const overRoots = rules.map((rule) => (typeof rule === "string" ? undefined : rule.when));
  return [...readsOf(overData, "data"), ...readsOf(overRoots, "roots")];
}

function readsOf(texts: readonly (string | undefined)[], current: CurrentNode): RootRead[] {
  const bare = texts.filter((text) => text !== undefined && !text.includes("${")) as string[];
  return bare.flatMap((jmespath) => expressionRoots({ jmespath }, current));
}

function valueTexts(value: ValueEntry | undefined): string[] {
  if (value === undefined) return [];
  return typeof value === "string" ? [value] : Object.values(value).flatMap(valueTexts);
}
