import { valueRoots } from "../../curation/expression.ts";
import type { Api } from "../../model/api.ts";
import { nearestNames } from "../../model/nearest.ts";
import { placeText } from "../../model/place.ts";
import type { Schema } from "../../model/schema.ts";
import type { Input } from "../../model/tool.ts";
import { listAlternatives, propertyNames } from "../expressions/list-alternatives.ts";
import { ANY, elementsOf, orNull, withoutNull } from "../expressions/type-algebra.ts";
import { typeRoots } from "../expressions/type-roots.ts";
import type { BoundPages } from "../lists/bind-pages.ts";
import { checkPages } from "../lists/check-pages.ts";
import { type EntryPath, hintFor, type Report } from "../open-report.ts";
import { wirePlace } from "../places/wire-type.ts";
import { openChecker, type ShapeChecker } from "../reply/shape-checker.ts";
import { isRequest, type OpenStep, type RequestStep } from "./open-steps.ts";
import { bodyOf, loopOf, type StepType } from "./step-types.ts";

export interface TypeContext {
  readonly api: Api;
  readonly inputs: readonly Input[];
  readonly pins: readonly string[];
  /** Of the steps that read all pages. */
  readonly pages: ReadonlyMap<OpenStep, BoundPages>;
  readonly report: Report;
}

/** What each step gives, in order; every expression of a step is checked against what those above it give. */
export function typeSteps(steps: readonly OpenStep[], context: TypeContext): StepType[] {
  const known: StepType[] = [];
  for (const [at, step] of steps.entries()) {
    // A step that stands below is read too early, which is told as such.
    const below = steps.slice(at).map(({ entry }): StepType => [entry.id, ANY]);
    known.push([step.entry.id, typeStep(step, [...known, ...below], context)]);
  }
  return known;
}

function typeStep(step: OpenStep, steps: readonly StepType[], context: TypeContext): Schema {
  const { entry, at } = step;
  const checker = (item?: Schema, report = context.report) => {
    const roots = typeRoots(context.inputs, context.pins, { steps, ...(item !== undefined && { item }) });
    return openChecker(context.api, report, roots, false);
  };
  const check = checker();
  const overRoots = (jmespath: string, key: string) =>
    check.typeOf({ jmespath }, [...at, key], check.roots.schema, "the roots");
  if (entry.when !== undefined) overRoots(entry.when, "when");
  const type =
    step.kind === "value" ? overRoots(step.entry.value, "value") : typeCall(step, overRoots, checker, context);
  return entry.when === undefined ? type : orNull(type);
}

function typeCall(
  step: Extract<OpenStep, { kind: "call" }>,
  overRoots: (jmespath: string, key: string) => Schema,
  checker: (item?: Schema, report?: Report) => ShapeChecker,
  context: TypeContext,
): Schema {
  const { entry, at } = step;
  const { forEach, optional } = entry;
  const item = forEach === undefined ? undefined : itemOf(overRoots(forEach, "forEach"), forEach, at, context);
  if (!isRequest(step)) return ANY;
  checkSent(step, checker(item, withoutNames(context.report)));
  const body = typeRows(step, bodyOf(step.request.target, entry.accept), checker(item), context);
  const answer = typeof optional === "number" ? orNull(body) : body;
  if (item !== undefined) return loopOf(item, answer, optional === true);
  return optional === true ? orNull(answer) : answer;
}

function itemOf(list: Schema, text: string, at: EntryPath, { api, report }: TypeContext): Schema {
  const found = elementsOf(list, api);
  if (found !== undefined) return found;
  const inside = listAlternatives(list, api)
    .filter((one) => one.type !== "null")
    .flatMap(propertyNames);
  const hint = inside.length > 0 ? `It has ${inside.slice(0, 12).join(", ")}.` : "Name a list that a step gives.";
  report.add("error", "not_a_list", [...at, "forEach"], `\`${text}\` is never a list.`, hint);
  return ANY;
}

/** The rows of all pages, or the body as it comes. */
function typeRows(step: RequestStep, body: Schema, check: ShapeChecker, context: TypeContext): Schema {
  const { all, id } = step.entry;
  if (all === undefined) return body;
  const at = [...step.at, "all", ...(all.rows === undefined ? [] : ["rows"])];
  const list = all.rows === undefined ? body : check.typeOf({ jmespath: all.rows }, at, body, "the body");
  const row = elementsOf(list, context.api);
  if (row === undefined) {
    const what = all.rows === undefined ? "The body" : `\`${all.rows}\``;
    const names = listAlternatives(body, context.api).flatMap(propertyNames);
    const hint = `Say in \`rows\` which list of the body is meant${names.length > 0 ? `: it has ${names.slice(0, 12).join(", ")}` : ""}.`;
    context.report.add("error", "rows_not_a_list", at, `${what} of step \`${id}\` is never a list.`, hint);
  }
  const pages = context.pages.get(step);
  const { operation } = step.request.target;
  if (pages !== undefined) checkPages(pages, body, row ?? ANY, operation.id ?? operation.key, check);
  return { type: "array", items: row === undefined ? ANY : withoutNull(row, context.api) };
}

/** What steps give is checked against the places that it is sent to. */
function checkSent({ request: { sent, target } }: RequestStep, check: ShapeChecker): void {
  for (const { at, site, value } of sent) {
    const type = check.typeOfValue(value, at);
    const reads = valueRoots(value);
    if (
      value.kind !== "expression" ||
      target.unchecked ||
      !reads.some(({ root }) => root === "steps" || root === "item")
    )
      continue;
    const wanted = wirePlace(site, target.reader).type;
    const alternatives = listAlternatives(type, check.api).filter((one) => one.type !== "null");
    const isHolder =
      alternatives.length > 0 && alternatives.every(({ type: kind }) => kind === "object" || kind === "array");
    if (!isHolder || !SCALARS.has(wanted)) continue;
    const [kind] = alternatives.map((one) => (one.type === "object" ? "an object" : "a list"));
    const names = alternatives.flatMap(propertyNames);
    const place = placeText(site.place);
    const last = "name" in site.place ? site.place.name : (site.place.pointer.at(-1) ?? "");
    const hint = hintFor(nearestNames(last, names), names) ?? "Name a part of it.";
    check.report.add(
      "error",
      "bad_value",
      at,
      `\`${value.expression.jmespath}\` is ${kind}, and \`${place}\` takes a ${wanted}.`,
      hint,
    );
  }
}

const SCALARS: ReadonlySet<string> = new Set(["string", "integer", "number", "boolean"]);

/** Names of inputs and pins in what is sent are looked at by themselves. */
function withoutNames(report: Report): Report {
  return {
    ...report,
    add(severity, code, ...rest) {
      if (code !== "unknown_input" && code !== "unknown_pin") report.add(severity, code, ...rest);
    },
  };
}
