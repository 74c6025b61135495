import { isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { unescapeToken } from "../../model/json-pointer.ts";
import { nearestNames } from "../../model/nearest.ts";
import type { Path } from "../finding.ts";
import type { CallStepEntry, InputEntry } from "../format.ts";
import { checkActions, checkCriteria } from "./check-criteria.ts";
import { readInputs } from "./read-inputs.ts";
import { readSends } from "./read-sends.ts";
import { type FlowNames, type Refuse, writeExpression } from "./write-expression.ts";

/** A workflow as the steps, inputs and reply of a tool. */
export interface Workflow {
  readonly summary?: string;
  readonly inputs: Readonly<Record<string, InputEntry>>;
  readonly steps: readonly CallStepEntry[];
  /** What the reply holds, where the workflow says so. */
  readonly outputs?: Readonly<Record<string, string>>;
  /** Where in the document stands what is at this path of the tool. */
  origin(below: Path): Path | undefined;
}

const MOST_STEPS = 100;

/** The workflow of this ID in an Arazzo 1.0 document; undefined, and a finding, where there is none. */
export function readWorkflow(document: Json, id: string, refuse: Refuse): Workflow | undefined {
  if (!isJsonObject(document) || !/^1\.0\.\d+/.test(String(document.arazzo ?? ""))) {
    const at = isJsonObject(document) && document.arazzo !== undefined ? ["arazzo"] : [];
    refuse("arazzo_invalid", at, "This is no Arazzo 1.0 document.", "One begins with arazzo: 1.0.1.");
    return undefined;
  }
  const workflows = Array.isArray(document.workflows) ? document.workflows : [];
  const at = workflows.findIndex((one) => isJsonObject(one) && one.workflowId === id);
  const workflow = workflows[at];
  if (!isJsonObject(workflow)) {
    const known = workflows.flatMap((one) =>
      isJsonObject(one) && typeof one.workflowId === "string" ? [one.workflowId] : [],
    );
    const [near] = nearestNames(id, known, 1);
    const hint =
      near === undefined ? `There is ${known.slice(0, 12).join(", ") || "none"}.` : `Did you mean "${near}"?`;
    refuse("arazzo_invalid", ["workflows"], `There is no workflow \`${id}\`.`, hint);
    return undefined;
  }
  return convert(document, workflow, ["workflows", at], refuse);
}

function convert(document: JsonObject, workflow: JsonObject, at: Path, refuse: Refuse): Workflow {
  const listed = Array.isArray(workflow.steps) ? workflow.steps.slice(0, MOST_STEPS) : [];
  checkWhole(workflow, listed, at, refuse);
  const inputs = readInputs(document, workflow, at, refuse);
  const names = { inputs: inputs.names, outputs: new Map<string, ReadonlyMap<string, string | undefined>>() };
  const origins = new Map<string, Path>();
  const steps: CallStepEntry[] = [];
  for (const [index, step] of listed.entries()) {
    const here = [...at, "steps", index];
    if (!isJsonObject(step) || typeof step.stepId !== "string") {
      refuse("arazzo_invalid", here, "The step has no `stepId`.", "Give it one, of letters, digits and _.");
      continue;
    }
    const id = foldId(step.stepId);
    if (steps.some((other) => other.id === id))
      refuse("arazzo_invalid", [...here, "stepId"], `Two steps are called \`${id}\`.`, "Give each its own stepId.");
    checkCriteria(step, here, index === listed.length - 1, refuse);
    checkOrder(step, here, steps, refuse);
    const operation = readOperation(document, step, here, refuse) ?? "";
    const { args, contentType, origins: sent } = readSends(document, workflow, step, [at, here], names, refuse);
    names.outputs.set(step.stepId, readOutputs(step, id, here, inputs.names));
    steps.push({ id, operation, args, ...(contentType !== undefined && { contentType }) });
    origins.set(`${index}`, here);
    for (const [place, origin] of sent) origins.set(`${index} ${place}`, origin);
  }
  const reply = readReply(workflow, at, names, refuse);
  return {
    ...(typeof workflow.summary === "string" && workflow.summary !== "" && { summary: workflow.summary }),
    inputs: inputs.entries,
    steps,
    ...(reply !== undefined && { outputs: reply }),
    origin: (below) => originOf(below, at, origins, inputs.origins),
  };
}

function originOf(
  below: Path,
  at: Path,
  origins: ReadonlyMap<string, Path>,
  inputs: ReadonlyMap<string, Path>,
): Path | undefined {
  const [key, first, second, third] = below;
  if (key === "input" && first !== undefined) return inputs.get(String(first));
  if (key === "result")
    return first === "value" && second !== undefined ? [...at, "outputs", second] : [...at, "outputs"];
  if (key !== "steps" || typeof first !== "number") return undefined;
  const step = origins.get(`${first}`);
  const sent = second === "args" && third !== undefined ? origins.get(`${first} ${third}`) : undefined;
  return sent ?? (step && [...step, ...(second === "operation" ? ["operationId"] : [])]);
}

/** A JMESPath name of the step, where the workflow allows more. */
function foldId(id: string): string {
  const folded = id.replace(/\W/g, "_");
  return /^[A-Za-z]/.test(folded) ? folded : `step_${folded}`;
}

/** Steps run in the order in which they stand, so that those on which one depends stand above it; others would wait for nothing. */
function checkOrder({ dependsOn }: JsonObject, at: Path, above: readonly CallStepEntry[], refuse: Refuse): void {
  for (const [index, name] of (Array.isArray(dependsOn) ? dependsOn : []).entries()) {
    const id = String(name).replace(/^\$steps\./, "");
    if (above.some((step) => step.id === foldId(id))) continue;
    const message = `No step above is called \`${id}\`.`;
    refuse("arazzo_unsupported", [...at, "dependsOn", index], message, "Move it above this one, in the same workflow.");
  }
}

/** What of a workflow as a whole has no counterpart. */
function checkWhole(workflow: JsonObject, steps: readonly Json[], at: Path, refuse: Refuse): void {
  if (steps.length === 0) refuse("arazzo_invalid", at, "The workflow has no steps.", "Add steps to it.");
  if (Array.isArray(workflow.steps) && workflow.steps.length > steps.length)
    refuse(
      "arazzo_unsupported",
      [...at, "steps"],
      `The workflow has more than ${MOST_STEPS} steps.`,
      "Make several tools of it.",
    );
  if (Array.isArray(workflow.dependsOn) && workflow.dependsOn.length > 0)
    refuse(
      "arazzo_unsupported",
      [...at, "dependsOn"],
      "A tool runs one workflow and none before it.",
      "Put the steps of both into one workflow.",
    );
  checkActions(workflow.successActions, [...at, "successActions"], "success", true, refuse);
  checkActions(workflow.failureActions, [...at, "failureActions"], "failure", true, refuse);
  checkSources(steps, at, refuse);
}

/** The tool speaks to one API. */
function checkSources(steps: readonly Json[], at: Path, refuse: Refuse): void {
  const sources = steps.map((step) => {
    const { operationId, operationPath } = isJsonObject(step) ? step : {};
    return /^\{?\$sourceDescriptions\.([^.#}]+)/.exec(String(operationId ?? operationPath ?? ""))?.[1];
  });
  const [first] = sources.filter((one) => one !== undefined);
  for (const [index, source] of sources.entries()) {
    if (source === undefined || source === first) continue;
    const message = `This step sends to \`${source}\`, and others to \`${first}\`: a curation has one API.`;
    refuse("arazzo_unsupported", [...at, "steps", index], message, "Make a curation, and a tool, of each.");
  }
}

function readOperation(document: JsonObject, step: JsonObject, at: Path, refuse: Refuse): string | undefined {
  const { operationId, operationPath, workflowId } = step;
  if (typeof operationId === "string") return withoutSource(operationId, document);
  if (typeof operationPath === "string") {
    const [, path, method] = /#\/paths\/([^/]+)\/([a-z]+)$/.exec(operationPath) ?? [];
    if (path !== undefined && method !== undefined) return `${method.toUpperCase()} ${unescapeToken(path)}`;
    refuse(
      "arazzo_invalid",
      [...at, "operationPath"],
      "The path leads to no operation.",
      "Write {$sourceDescriptions.NAME.url}#/paths/~1pets/get.",
    );
    return undefined;
  }
  if (workflowId !== undefined)
    refuse(
      "arazzo_unsupported",
      [...at, "workflowId"],
      "A step sends an operation, and this one runs a workflow.",
      "Put the steps of both into one workflow.",
    );
  else refuse("arazzo_invalid", at, "The step names no operation.", "Add operationId.");
  return undefined;
}

/** `$sourceDescriptions.NAME.id`; without its beginning too, as it is often written. */
function withoutSource(operationId: string, { sourceDescriptions }: JsonObject): string {
  const own = operationId.replace(/^\$sourceDescriptions\.[^.]+\./, "");
  const sources = Array.isArray(sourceDescriptions) ? sourceDescriptions : [];
  const names = sources.flatMap((one) => (isJsonObject(one) && typeof one.name === "string" ? [one.name] : []));
  const source = names.find((name) => own.startsWith(`${name}.`));
  return source === undefined ? own : own.slice(source.length + 1);
}

/** Outputs that are no part of the body matter only where something reads them. */
function readOutputs(
  step: JsonObject,
  own: string,
  at: Path,
  inputs: ReadonlyMap<string, string>,
): ReadonlyMap<string, string | undefined> {
  const entries = isJsonObject(step.outputs) ? Object.entries(step.outputs) : [];
  const names: FlowNames = { inputs, outputs: new Map(), self: own };
  return new Map(
    entries.map(([name, text]) => [
      name,
      typeof text === "string" ? writeExpression(text, [...at, "outputs", name], names, () => {}) : undefined,
    ]),
  );
}

function readReply(
  workflow: JsonObject,
  at: Path,
  names: FlowNames,
  refuse: Refuse,
): Record<string, string> | undefined {
  const { outputs = null } = workflow;
  if (!isJsonObject(outputs)) return undefined;
  const entries = Object.entries(outputs).map(([name, text]) => {
    const here = [...at, "outputs", name];
    return [name, writeExpression(typeof text === "string" ? text : "", here, names, refuse) ?? "`null`"] as const;
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
