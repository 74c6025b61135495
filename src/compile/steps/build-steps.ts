import type { ToolEntry } from "../../curation/format.ts";
import type { Binding } from "../../model/call.ts";
import type { CallStep, Step } from "../../model/step.ts";
import type { CallList } from "../calls/draft-call.ts";
import { pagePlaces } from "../calls/draft-call.ts";
import { fillRequired } from "../inputs/fill-required.ts";
import { bindSent } from "../inputs/read-args.ts";
import { type BoundPages, bindPages } from "../lists/bind-pages.ts";
import type { Report } from "../open-report.ts";
import type { ToolContext } from "../tool-context.ts";
import { fillServer } from "../upstream/fill-server.ts";
import { keyPlaces } from "../upstream/place-key.ts";
import { isRequest, type OpenStep, type RequestStep, requestsOf } from "./open-steps.ts";
import { needsOf } from "./read-steps.ts";

/** How each step that reads all pages of a list does. */
export function bindStepPages(
  steps: readonly OpenStep[],
  context: ToolContext,
  report: Report,
): Map<OpenStep, BoundPages> {
  const found = requestsOf(steps).flatMap((step) => {
    const pages = bindOwnPages(step, context, report);
    return pages === undefined ? [] : [[step, pages] as const];
  });
  return new Map(found);
}

function bindOwnPages(step: RequestStep, context: ToolContext, report: Report): BoundPages | undefined {
  const { entry, at, request } = step;
  const { pages: own, all } = entry;
  if (all === undefined) {
    if (own !== undefined && own !== "none") {
      const message = "`pages` is about the rows of `all`, which is not there.";
      report.add("error", "needs_all", [...at, "pages"], message, "Add all: { max: 100 }, or take `pages` out.");
    }
    return undefined;
  }
  const { target, sent, safe } = request;
  const name = target.operation.id ?? target.operation.key;
  if (!safe) {
    const message = `\`${name}\` may write, and what writes is not sent again for a further page.`;
    report.add(
      "error",
      "unsafe_pages",
      [...at, "all"],
      message,
      "Say `effect: read` where it only reads, or take `all` out.",
    );
    return undefined;
  }
  const pages = bindPages({ ...(own !== undefined && { own }), sent, safe }, at, target, context, report);
  if (pages === undefined && (own ?? "none") === "none") {
    const message = `Nothing says how \`${name}\` cuts its list into pages, so \`all\` reads one answer only.`;
    report.add("warning", "all_unpaged", [...at, "all"], message, "Say it in `pages`, or take `all` out.");
  }
  return pages;
}

const MOST_ITEMS = 10;

export interface StepParts {
  readonly pages: ReadonlyMap<OpenStep, BoundPages>;
  readonly pinned: ReadonlyMap<OpenStep, readonly Binding[]>;
  /** Inputs that a caller gives whenever the step is sent. */
  readonly needed: ReadonlySet<string>;
  readonly calls: CallList;
}

/** The steps as they are run. Undefined where one of them has no operation. */
export function buildSteps(
  steps: readonly OpenStep[],
  tool: ToolEntry,
  parts: StepParts,
  context: ToolContext,
  report: Report,
): readonly Step[] | undefined {
  const needs = needsOf(steps);
  const built = steps.flatMap((step, at): Step[] => {
    const { id, when } = step.entry;
    const base = { id, needs: needs[at] ?? [], ...(when !== undefined && { when: { jmespath: when } }) };
    if (step.kind === "value") return [{ ...base, kind: "value", value: { jmespath: step.entry.value } }];
    if (!isRequest(step)) return [];
    return [{ ...base, ...buildCall(step, tool, parts, context, report) }];
  });
  return built.length === steps.length ? built : undefined;
}

function buildCall(
  step: RequestStep,
  tool: ToolEntry,
  { pages, pinned, needed, calls }: StepParts,
  context: ToolContext,
  report: Report,
): CallStep {
  const { entry, at, request } = step;
  const { target, sent, safe } = request;
  const pins = pinned.get(step) ?? [];
  const plan = pages.get(step)?.plan;
  const running = [...pagePlaces(plan), ...keyPlaces(context.curation.content.api.idempotencyKey, target, safe)];
  const filled = fillRequired({ sent, pinned: pins, running }, tool, at, target, report);
  const isNeeded = ({ site, whole }: RequestStep["request"]["sent"][number]) =>
    site.required.every(Boolean) || (whole !== undefined && needed.has(whole));
  const bindings = [...sent.map((one) => bindSent(one, target, isNeeded(one))), ...filled, ...pins];
  const { accept, contentType, forEach, max, all, optional, text } = entry;
  const call = calls.add({ bindings, ...(plan !== undefined && { pages: plan }) }, target, {
    ...(accept !== undefined && { accept }),
    ...(contentType !== undefined && { contentType }),
    server: fillServer(target.operation, context.curation.content.api.serverVariables),
    safe,
  });
  return {
    kind: "call",
    call,
    safe,
    ...(forEach !== undefined && { forEach: { list: { jmespath: forEach }, max: max ?? MOST_ITEMS } }),
    ...(all !== undefined && {
      all: { ...(all.rows !== undefined && { rows: { jmespath: all.rows } }), max: all.max },
    }),
    optional: optional ?? false,
    ...(text !== undefined && { text }),
  };
}
