import type { ToolEntry } from "../curation/format.ts";
import { filterPlaces, openCalls, pagePlaces } from "./calls/draft-call.ts";
import { openTarget } from "./calls/open-target.ts";
import { nameEntities } from "./entities/name-entities.ts";
import { bindValuesFrom } from "./filter/bind-values-from.ts";
import { buildFilter, draftFilter } from "./filter/build-filter.ts";
import { finishTool } from "./finish-tool.ts";
import { bindInputs, readSent, reportPinned } from "./inputs/bind-inputs.ts";
import { bindAggregate, ownPages } from "./lists/bind-aggregate.ts";
import { bindPages } from "./lists/bind-pages.ts";
import type { ListCall } from "./lists/build-list.ts";
import { openReport, UNHEARD } from "./open-report.ts";
import { selectOperation } from "./places/select-operation.ts";
import { buildShape } from "./reply/build-shape.ts";
import type { ToolContext, ToolOutcome } from "./tool-context.ts";
import { fillServer } from "./upstream/fill-server.ts";
import { keyPlaces } from "./upstream/place-key.ts";
import { annotateTool } from "./words/annotate-tool.ts";
import { checkWords } from "./words/check-words.ts";
import { checkWrites } from "./words/check-writes.ts";
import { nameToolsInInputs } from "./words/name-tools-in-inputs.ts";

/** A tool of one operation. It is left out where that is broken in the spec, or where it writes and writes are left out. */
export function compileCall(name: string, entry: ToolEntry, context: ToolContext): ToolOutcome {
  const at = ["tools", name];
  const { curation, api, names } = context;
  const report = openReport(curation);
  const operation =
    entry.operation === undefined
      ? undefined
      : selectOperation(entry.operation, [...at, "operation"], context.api, report);
  if (operation === undefined) {
    reportPinned(entry, at, context.pins, report);
    return { problems: [...report.problems, ...checkWords(name, entry, at, context)] };
  }
  const effect = annotateTool(entry, at, [operation], curation);
  if (!effect.safe && context.readOnly) return { problems: [] };
  if (!effect.safe) checkWrites(entry, at, operation.method, "This tool", curation, report);
  const calls = openCalls();
  const target = openTarget(entry, at, operation, context, report);
  const sent = readSent(entry, at, target, context.pins, UNHEARD);
  const isList = entry.result?.rows !== undefined;
  const paged = { ...ownPages(entry), sent, safe: effect.safe };
  const pages = isList ? bindPages(paged, at, target, context, report) : undefined;
  const draft = entry.filter && draftFilter(entry.filter, [...at, "filter"], target, context.pins, report);
  const keyed = keyPlaces(curation.content.api.idempotencyKey, target, effect.safe);
  const running = [...filterPlaces(draft?.destination), ...pagePlaces(pages?.plan), ...keyed];
  const { inputs: bound, bindings } = bindInputs(entry, at, target, context.pins, running, report);
  const named = nameEntities(nameToolsInInputs(bound, entry, at, names, report), entry, at, context, report);
  const { accept, contentType } = entry;
  const laid = {
    ...(draft?.destination !== undefined && { filter: draft.destination }),
    ...(pages !== undefined && { pages: pages.plan }),
  };
  const choices = {
    ...(accept !== undefined && { accept }),
    ...(contentType !== undefined && { contentType }),
    server: fillServer(operation, curation.content.api.serverVariables),
    safe: effect.safe,
  };
  const call = calls.add({ bindings, ...laid }, target, choices);
  const side = { context, tool: entry, at, inputs: named, calls, report };
  const inputs = bindValuesFrom(side);
  const filter = draft && buildFilter(draft, bindings, side);
  const pins = context.pins.map((pin) => pin.name);
  const { comparable } = context;
  const structured = curation.content.server.structured ?? true;
  const request = { target, call, choices, sent };
  const list: ListCall = {
    operation: operation.id ?? operation.key,
    ...(pages !== undefined && { pages }),
    unpaged: pages === undefined && (entry.pages ?? "none") === "none",
    goesOn: effect.safe,
    filtered: filter?.filter.offered === true,
    aggregate: (total, here) => bindAggregate(total, here, request, side),
  };
  const shaped = buildShape(entry, at, { curation, api, names, inputs, pins, operation, list, structured, comparable });
  return finishTool({
    ...{ name, entry, at, context, report, effect, inputs, calls, shaped, operation },
    ...(filter !== undefined && { filter }),
    plan: { kind: "call", call },
    placeOf: () => [...at, "operation"],
  });
}
