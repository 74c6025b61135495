import type { Curation, ToolEntry } from "../curation/format.ts";
import type { Api, Operation } from "../model/api.ts";
import { nearestNames } from "../model/nearest.ts";
import type { Problem } from "../model/problem.ts";
import type { OperationPlan, Tool } from "../model/tool.ts";
import { bindInputs, reportPinned } from "./inputs/bind-inputs.ts";
import { type EntryPath, hintFor, openReport, type Report } from "./open-report.ts";
import { type PinPlan, pinnedNames } from "./pins/plan-pins.ts";
import { answers, chooseBody, successTypes } from "./places/choose-media.ts";
import { mediaKind, openMedia } from "./places/open-media.ts";
import { planOperation } from "./places/plan-operation.ts";
import type { Target } from "./places/request-places.ts";
import { selectOperation } from "./places/select-operation.ts";
import { buildErrors } from "./reply/build-errors.ts";
import { buildShape } from "./reply/build-shape.ts";
import { inputSchema } from "./types/portable-schema.ts";
import { fillServer } from "./upstream/fill-server.ts";
import { annotateTool } from "./words/annotate-tool.ts";
import { describeTool } from "./words/describe-tool.ts";
import { nameToolsInInputs } from "./words/name-tools-in-inputs.ts";
import type { ToolNames } from "./words/tool-names.ts";

/** What every tool of a curation is compiled with. */
export interface ToolContext {
  readonly curation: Curation;
  readonly api: Api;
  readonly names: ToolNames;
  readonly pins: readonly PinPlan[];
  readonly credentials: ReadonlySet<string>;
  /** Writes are left out, whatever the curation says. */
  readonly readOnly: boolean;
}

export interface CompiledTool {
  /** Without the position of its operation, which is known when all tools are. */
  readonly tool: Omit<Tool, "plan">;
  readonly bindings: ReturnType<typeof bindInputs>["bindings"];
  readonly operation: OperationPlan;
  readonly target: Target;
}

export interface ToolOutcome {
  readonly compiled?: CompiledTool;
  readonly problems: readonly Problem[];
}

const DEFAULT_DEADLINE_MS = 45_000;

/** One tool of the curation. It is left out where its operation is broken in the spec, or where it writes and writes are left out. */
export function compileTool(name: string, entry: ToolEntry, context: ToolContext): ToolOutcome {
  const at = ["tools", name];
  const report = openReport(context.curation);
  const operation =
    entry.operation === undefined
      ? undefined
      : selectOperation(entry.operation, [...at, "operation"], context.api, report);
  if (operation === undefined) {
    reportPinned(entry, at, context.pins, report);
    return { problems: [...report.problems, ...checkWords(name, entry, at, context)] };
  }
  const effect = annotateTool(entry, at, [operation], context.curation);
  if (!effect.safe && context.readOnly) return { problems: [] };
  if (!effect.safe) checkWrites(entry, at, operation, context.curation, report);
  const target = openTarget(entry, at, operation, context, report);
  const { inputs: bound, bindings } = bindInputs(entry, at, target, context.pins, report);
  const inputs = nameToolsInInputs(bound, entry, at, context.names, report);
  const { curation, api, names } = context;
  const known = { curation, api, names, inputs, pins: context.pins.map((pin) => pin.name) };
  const structured = context.curation.content.server.structured ?? true;
  const shaped = buildShape(entry, at, { ...known, operation, structured });
  const described = describeTool(name, entry, at, { curation, names, operation });
  const { errors, problems } = buildErrors(entry, at, known);
  const fault = target.reader.faults[0];
  if (fault !== undefined) return { problems: [spoiled(entry, at, fault, context.curation)] };
  reportPatterns(target, at, report);
  const tool: CompiledTool["tool"] = {
    name: context.names.get(name) ?? name,
    title: described.title,
    description: described.description,
    annotations: effect.annotations,
    inputSchema: inputSchema(inputs),
    ...(shaped.output !== undefined && { outputSchema: shaped.output }),
    inputs,
    shape: shaped.shape,
    errors,
    deadlineMs: entry.deadline ?? DEFAULT_DEADLINE_MS,
    tags: [],
  };
  const server = fillServer(operation, context.curation.content.api.serverVariables);
  const { accept, contentType } = entry;
  const plan = planOperation(target, bindings, {
    ...(accept !== undefined && { accept }),
    ...(contentType !== undefined && { contentType }),
    server,
    safe: effect.safe,
  });
  return {
    compiled: { tool, bindings, operation: plan, target },
    problems: [...report.problems, ...effect.problems, ...shaped.problems, ...described.problems, ...problems],
  };
}

/** Without an operation (an unknown one, or steps, which are refused whole) only the texts can be looked at. */
function checkWords(
  name: string,
  entry: ToolEntry,
  at: EntryPath,
  { curation, api, names, pins }: ToolContext,
): Problem[] {
  const inputs = Object.keys(entry.input ?? {}).map((name) => ({
    name,
    required: false,
    type: { kind: "json" } as const,
  }));
  const known = { curation, api, names, inputs, pins: pins.map((pin) => pin.name) };
  return [...describeTool(name, entry, at, { curation, names }).problems, ...buildErrors(entry, at, known).problems];
}

function openTarget(
  entry: ToolEntry,
  at: EntryPath,
  operation: Operation,
  context: ToolContext,
  report: Report,
): Target {
  const unchecked = entry.unchecked === true;
  const chosen = chooseBody(operation, entry.contentType) ?? (unchecked ? undefined : chooseBody(operation));
  if (!unchecked) checkMedia(entry, at, operation, report);
  const files = chosen !== undefined && ["multipart", "text", "bytes"].includes(mediaKind(chosen.mediaType));
  const pinned = pinnedNames(context.pins);
  const reader = { api: context.api, faults: [], pinned, unenforced: new Set<string>(), files };
  const media = chosen && openMedia(chosen, reader);
  return { api: context.api, operation, media, reader, credentials: context.credentials, unchecked };
}

/** What is asked for beyond the spec may still be answered; what is sent beyond it has no schema. */
function checkMedia({ accept, contentType }: ToolEntry, at: EntryPath, operation: Operation, report: Report): void {
  const hintOf = (wanted: string, known: readonly string[]) =>
    hintFor(nearestNames(wanted, known), known) ?? "Set `unchecked: true` where the spec is wrong.";
  if (contentType !== undefined && chooseBody(operation, contentType) === undefined) {
    const known = operation.body?.content.map(({ mediaType }) => mediaType) ?? [];
    const message = `The operation does not take \`${contentType}\`.`;
    report.add("error", "unknown_media_type", [...at, "contentType"], message, hintOf(contentType, known));
  }
  if (accept === undefined || answers(operation, accept)) return;
  const known = successTypes(operation);
  const message = `The spec does not say that the operation answers with \`${accept}\`.`;
  report.add("warning", "unknown_media_type", [...at, "accept"], message, hintOf(accept, known));
}

function checkWrites(entry: ToolEntry, at: EntryPath, operation: Operation, curation: Curation, report: Report): void {
  if (curation.content.server.writes === true) return;
  const message = `This tool ${entry.effect === undefined ? `sends ${operation.method}` : `is a ${entry.effect}`}, and \`server.writes\` is not true.`;
  const hint = "Set `writes: true` under `server`, or `effect: read` where the operation only reads.";
  report.add("error", "write_not_allowed", [...at, entry.effect === undefined ? "operation" : "effect"], message, hint);
}

/** A broken reference under what the tool needs: the tool is left out, and what else was found of it may come from that. */
function spoiled(
  entry: ToolEntry,
  at: EntryPath,
  fault: { fault: string; pointer: string },
  curation: Curation,
): Problem {
  return {
    ...curation.locate([...at, "operation"]),
    code: "spec_fault",
    severity: "error",
    message: `\`${entry.operation}\` is broken in the spec at ${fault.pointer}: ${fault.fault}`,
    hint: "The tool is left out; the spec has to be mended.",
  };
}

function reportPatterns({ reader, operation }: Target, at: EntryPath, report: Report): void {
  for (const pattern of reader.unenforced) {
    const message = `RE2 cannot read the pattern ${pattern.slice(0, 80)} of \`${operation.id ?? operation.key}\`.`;
    report.add("note", "pattern_unenforced", [...at, "operation"], message, "It is left to the upstream.");
  }
}
