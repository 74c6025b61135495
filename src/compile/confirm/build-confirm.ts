import { parseValue, ROOTS, valueRoots } from "../../curation/expression.ts";
import type { ToolEntry } from "../../curation/format.ts";
import type { Api } from "../../model/api.ts";
import type { PortableSchema } from "../../model/schema.ts";
import type { Confirmation, Input, Plan } from "../../model/tool.ts";
import type { Value } from "../../model/value.ts";
import { typeRoots } from "../expressions/type-roots.ts";
import type { EntryPath, Report } from "../open-report.ts";
import { openChecker } from "../reply/shape-checker.ts";
import type { StepType } from "../steps/step-types.ts";
import { stripHidden } from "../words/plain-text.ts";

export interface ConfirmContext {
  readonly api: Api;
  readonly inputs: readonly Input[];
  readonly pins: readonly string[];
  readonly plan: Plan;
  /** Of a workflow: what its steps give. */
  readonly steps?: readonly StepType[];
  /** The tool only reads. */
  readonly safe: boolean;
}

/** What is asked before the first write, its expressions checked; it reads no step from the first write on. */
export function buildConfirm(
  { confirm: entry }: ToolEntry,
  at: EntryPath,
  context: ConfirmContext,
  report: Report,
): Confirmation | undefined {
  if (entry === undefined) return undefined;
  const here = [...at, "confirm"];
  if (context.safe) {
    const hint = "Take it out, or declare what the tool does with `effect`.";
    report.add("error", "confirm_unneeded", here, "The tool only reads: there is nothing to confirm.", hint);
  }
  const isText = typeof entry === "string";
  const where = isText ? here : [...here, "text"];
  // What cannot be parsed was refused when the file was read.
  const text = parseValue(stripHidden(isText ? entry : entry.text), context.steps ? ROOTS.step : ROOTS.call).value;
  if (text === undefined) return undefined;
  checkText(text, where, context, report);
  return { text, human: !isText && entry.human === true };
}

function checkText(text: Value, at: EntryPath, context: ConfirmContext, report: Report): void {
  const { api, inputs, pins, plan, steps } = context;
  const check = openChecker(api, report, typeRoots(inputs, pins, steps && { steps }), false);
  const parts = text.kind === "text" ? text.parts : text.kind === "expression" ? [text.expression] : [];
  for (const part of parts) if (typeof part !== "string") check.typeOf(part, at, check.roots.schema, "the roots");
  if (plan.kind !== "steps") return;
  const first = plan.steps.findIndex((step) => step.kind === "call" && !step.safe);
  const later = new Set(plan.steps.slice(first < 0 ? plan.steps.length : first).map(({ id }) => id));
  for (const { root, name } of valueRoots(text)) {
    if (root !== "steps" || (name !== undefined && !later.has(name))) continue;
    const what = name === undefined ? "all steps" : `step \`${name}\``;
    const message = `The question reads ${what}, and it is asked before step \`${plan.steps[first]?.id}\` writes.`;
    report.add("error", "confirm_reads_later", at, message, "It may read the steps above the first write.");
  }
}

/** The built-in `confirm`: a caller's only, no expression reads it. Where only a person's yes counts there is none. */
export function confirmInput(confirm: Confirmation | undefined): Input[] {
  if (confirm === undefined || confirm.human) return [];
  const description =
    "Leave it out at first: the reply then shows what would be sent, and does nothing. Once the user agreed, its `confirmation.confirm`.";
  return [{ name: "confirm", required: false, type: { kind: "string", description } }];
}

/** What a reply of such a tool may hold as well: the question in place of all else. Beside an upstream's own names ours have no type. */
export function withConfirmation(output: PortableSchema): PortableSchema {
  const { note, ...properties } = output.properties ?? {};
  const isOurs = Object.hasOwn(properties, "rowCount") && note?.type === "string";
  return { ...output, properties: { ...properties, note: isOurs ? note : {}, confirmation: {} } };
}
