import type { Curation, ToolEntry } from "../curation/format.ts";
import type { Operation } from "../model/api.ts";
import type { Problem } from "../model/problem.ts";
import type { Tool } from "../model/tool.ts";
import { type CallDraft, filterPlaces, openCalls, pagePlaces } from "./calls/draft-call.ts";
import { openTarget } from "./calls/open-target.ts";
import { bindValuesFrom } from "./filter/bind-values-from.ts";
import { buildFilter, draftFilter } from "./filter/build-filter.ts";
import { withFilterInput } from "./filter/filter-input.ts";
import { bindInputs, readSent, reportPinned } from "./inputs/bind-inputs.ts";
import { bindAggregate, ownPages } from "./lists/bind-aggregate.ts";
import { bindPages } from "./lists/bind-pages.ts";
import type { ListCall } from "./lists/build-list.ts";
import { pageTokenInput } from "./lists/page-token-input.ts";
import { type EntryPath, openReport, type Report, UNHEARD } from "./open-report.ts";
import type { Target } from "./places/request-places.ts";
import { selectOperation } from "./places/select-operation.ts";
import { buildErrors } from "./reply/build-errors.ts";
import { buildShape } from "./reply/build-shape.ts";
import type { ToolContext } from "./tool-context.ts";
import { inputSchema } from "./types/portable-schema.ts";
import { fillServer } from "./upstream/fill-server.ts";
import { annotateTool } from "./words/annotate-tool.ts";
import { describeTool } from "./words/describe-tool.ts";
import { nameToolsInInputs } from "./words/name-tools-in-inputs.ts";

export interface CompiledTool {
  /** The operations of its calls are positions in `calls` until all tools are known. */
  readonly tool: Tool;
  readonly calls: readonly CallDraft[];
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
  const calls = openCalls();
  const target = openTarget(entry, at, operation, context, report);
  const sent = readSent(entry, at, target, context.pins, UNHEARD);
  const isList = entry.result?.rows !== undefined;
  const paged = { ...ownPages(entry), sent, safe: effect.safe };
  const pages = isList ? bindPages(paged, at, target, context, report) : undefined;
  const draft = entry.filter && draftFilter(entry.filter, [...at, "filter"], target, context.pins, report);
  const running = [...filterPlaces(draft?.destination), ...pagePlaces(pages?.plan)];
  const { inputs: bound, bindings } = bindInputs(entry, at, target, context.pins, running, report);
  const named = nameToolsInInputs(bound, entry, at, context.names, report);
  const { accept, contentType } = entry;
  const laid = {
    ...(draft?.destination !== undefined && { filter: draft.destination }),
    ...(pages !== undefined && { pages: pages.plan }),
  };
  const choices = {
    ...(accept !== undefined && { accept }),
    ...(contentType !== undefined && { contentType }),
    server: fillServer(operation, context.curation.content.api.serverVariables),
    safe: effect.safe,
  };
  const call = calls.add({ bindings, ...laid }, target, choices);
  const side = { context, tool: entry, at, inputs: named, calls, report };
  const inputs = bindValuesFrom(side);
  const filter = draft && buildFilter(draft, bindings, side);
  const { curation, api, names } = context;
  const known = { curation, api, names, inputs, pins: context.pins.map((pin) => pin.name) };
  const structured = context.curation.content.server.structured ?? true;
  const request = { target, call, choices, sent };
  const list: ListCall = {
    operation: operation.id ?? operation.key,
    ...(pages !== undefined && { pages }),
    unpaged: pages === undefined && (entry.pages ?? "none") === "none",
    goesOn: effect.safe,
    filtered: filter?.filter.offered === true,
    aggregate: (total, here) => bindAggregate(total, here, request, side),
  };
  const shaped = buildShape(entry, at, { ...known, operation, list, structured });
  const described = describeTool(name, entry, at, { curation, names, operation });
  const { errors, problems } = buildErrors(entry, at, known);
  const broken = calls.drafts.find((one) => one.target.reader.faults.length > 0);
  if (broken !== undefined) return { problems: [spoiled(broken.target, at, context.curation)] };
  for (const one of calls.drafts) reportPatterns(one.target, at, report);
  const schema = inputSchema([...inputs, ...pageTokenInput(entry, effect.safe)]);
  const tool: Tool = {
    name: context.names.get(name) ?? name,
    title: described.title,
    description: described.description,
    annotations: effect.annotations,
    inputSchema:
      filter?.input === undefined ? schema : withFilterInput(schema, filter.input, filter.filter.required === true),
    ...(shaped.output !== undefined && { outputSchema: shaped.output }),
    inputs,
    ...(filter !== undefined && { filter: filter.filter }),
    plan: { kind: "call", call },
    shape: shaped.shape,
    errors,
    deadlineMs: entry.deadline ?? DEFAULT_DEADLINE_MS,
    tags: [],
  };
  return {
    compiled: { tool, calls: calls.drafts },
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

function checkWrites(entry: ToolEntry, at: EntryPath, operation: Operation, curation: Curation, report: Report): void {
  if (curation.content.server.writes === true) return;
  const message = `This tool ${entry.effect === undefined ? `sends ${operation.method}` : `is a ${entry.effect}`}, and \`server.writes\` is not true.`;
  const hint = "Set `writes: true` under `server`, or `effect: read` where the operation only reads.";
  report.add("error", "write_not_allowed", [...at, entry.effect === undefined ? "operation" : "effect"], message, hint);
}

/** A broken reference under what the tool needs: the tool is left out, and what else was found of it may come from that. */
function spoiled({ operation, reader }: Target, at: EntryPath, curation: Curation): Problem {
  const { pointer, fault } = reader.faults[0]!;
  return {
    ...curation.locate([...at, "operation"]),
    code: "spec_fault",
    severity: "error",
    message: `\`${operation.id ?? operation.key}\` is broken in the spec at ${pointer}: ${fault}`,
    hint: "The tool is left out; the spec has to be mended.",
  };
}

function reportPatterns({ reader, operation }: Target, at: EntryPath, report: Report): void {
  for (const pattern of reader.unenforced) {
    const message = `RE2 cannot read the pattern ${pattern.slice(0, 80)} of \`${operation.id ?? operation.key}\`.`;
    report.add("note", "pattern_unenforced", [...at, "operation"], message, "It is left to the upstream.");
  }
}
