import { expressionRoots, parseValue, ROOTS, valueRoots } from "../../curation/expression.ts";
import { ownValue } from "../../model/json.ts";
import type { Alias } from "../../model/tool.ts";
import { bindSideCall } from "../calls/bind-side-call.ts";
import { type CallList, pagePlaces } from "../calls/draft-call.ts";
import { checkNames } from "../inputs/check-arguments.ts";
import { readArgs } from "../inputs/read-args.ts";
import { type BoundPages, bindPages } from "../lists/bind-pages.ts";
import { type EntryPath, type Report, UNHEARD } from "../open-report.ts";
import type { ToolContext } from "../tool-context.ts";
import { countGroups } from "../types/read-pattern.ts";
import { checkCandidates } from "./check-candidates.ts";
import { checkCaptures } from "./check-captures.ts";
import type { AliasEntry } from "./entity-context.ts";

/** One way of naming a thing. Undefined, and a finding, where it cannot be used. */
export function bindAlias(
  entry: AliasEntry,
  at: EntryPath,
  calls: CallList,
  context: ToolContext,
  report: Report,
): Alias | undefined {
  const { pattern } = entry;
  const known = countGroups(pattern);
  if (known === undefined) {
    const hint = "Do without lookaround and backreferences.";
    report.add("error", "bad_pattern", [...at, "pattern"], "RE2 cannot read this pattern.", hint);
  }
  const groups = known ?? Number.POSITIVE_INFINITY;
  if ("to" in entry) {
    const { value } = parseValue(entry.to, ROOTS.alias);
    if (value === undefined) return undefined;
    checkCaptures(value, groups, [...at, "to"], report);
    checkNames(value, [...at, "to"], { input: [], pins: context.pins.map(({ name }) => name) }, report);
    return { pattern, kind: "rewrite", to: value };
  }
  return bindLookUp(entry, groups, at, calls, context, report);
}

type LookUpEntry = Extract<AliasEntry, { readonly operation: string }>;

function bindLookUp(
  entry: LookUpEntry,
  groups: number,
  at: EntryPath,
  calls: CallList,
  context: ToolContext,
  report: Report,
): Alias | undefined {
  for (const [place, raw] of Object.entries(entry.args ?? {})) {
    const { value } = parseValue(raw, ROOTS.alias);
    if (value !== undefined) checkCaptures(value, groups, [...at, "args", place], report);
  }
  const side = {
    context,
    tool: declaredTool(entry, context),
    at,
    inputs: [],
    calls,
    report: withFewerWaysOut(report),
    roots: ROOTS.alias,
  };
  let pages: BoundPages | undefined;
  const bound = bindSideCall(entry, at, side, (target) => {
    const sent = readArgs(entry.args, [...at, "args"], target, context.pins, UNHEARD, ROOTS.alias);
    pages = bindPages({ sent, safe: true }, at, target, context, report);
    return { places: pagePlaces(pages?.plan), call: pages === undefined ? {} : { pages: pages.plan } };
  });
  if (bound === undefined) return undefined;
  const [fault] = bound.target.reader.faults;
  if (fault !== undefined) {
    const message = `\`${entry.operation}\` is broken in the spec at ${fault.pointer}: ${fault.fault}`;
    report.add(
      "error",
      "spec_fault",
      [...at, "operation"],
      message,
      "The alias is left out; the spec has to be mended.",
    );
    return undefined;
  }
  refuseUnused(entry, at, report);
  const ids = { jmespath: entry.ids };
  checkCaptures({ kind: "expression", expression: ids }, groups, [...at, "ids"], report);
  checkCandidates(ids, [...at, "ids"], bound.target, pages, context, report);
  return { pattern: entry.pattern, kind: "look-up", call: bound.call, ids };
}

/** What some tool says of the operation, that it only reads, holds here too. */
export function declaredTool({ operation }: { readonly operation: string }, { curation, api }: ToolContext) {
  const key = api.find(operation)?.key;
  const reads = Object.values(curation.content.tools).some(
    (tool) => tool.effect === "read" && tool.operation !== undefined && api.find(tool.operation)?.key === key,
  );
  return reads && key !== undefined ? ({ effect: "read" } as const) : {};
}

const HINTS: Readonly<Record<string, (hint: string) => string>> = {
  pin_unreached: (hint) => hint.replace(/, or say why not: .*$/, "."),
  unsafe_source: () => "Name an operation that reads (GET), or one that a tool of yours declares with `effect: read`.",
};

/** An alias, and a state, have fewer ways out than a tool. */
export function withFewerWaysOut(report: Report): Report {
  return {
    problems: report.problems,
    add: (severity, code, at, message, hint, part) => {
      const tell = ownValue(HINTS, code);
      report.add(severity, code, at, message, hint !== undefined && tell !== undefined ? tell(hint) : hint, part);
    },
  };
}

/** Asked without a word of what the caller wrote, every look-up finds the same. */
function refuseUnused(entry: LookUpEntry, at: EntryPath, report: Report): void {
  const values = Object.values(entry.args ?? {}).flatMap((raw) => parseValue(raw, ROOTS.alias).value ?? []);
  const reads = [...values.flatMap((value) => valueRoots(value)), ...expressionRoots({ jmespath: entry.ids }, "data")];
  if (reads.some(({ root }) => root === "captures")) return;
  const message = "The look-up reads no `captures`, so it finds the same whatever a caller writes.";
  const hint = "Send what the pattern found: args: { PLACE: ${captures[1]} }, or compare with it in `ids`.";
  report.add("error", "captures_unused", at, message, hint);
}
