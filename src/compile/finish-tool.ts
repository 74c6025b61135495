import type { Curation, ToolEntry } from "../curation/format.ts";
import type { Operation } from "../model/api.ts";
import type { Problem } from "../model/problem.ts";
import type { PortableSchema } from "../model/schema.ts";
import type { Input, Plan, Tool } from "../model/tool.ts";
import type { CallList } from "./calls/draft-call.ts";
import { buildConfirm, confirmInput, withConfirmation } from "./confirm/build-confirm.ts";
import type { BuiltFilter } from "./filter/build-filter.ts";
import { withFilterInput } from "./filter/filter-input.ts";
import { pageTokenInput } from "./lists/page-token-input.ts";
import type { EntryPath, Report } from "./open-report.ts";
import type { Target } from "./places/request-places.ts";
import { buildErrors } from "./reply/build-errors.ts";
import type { BuiltShape } from "./reply/build-shape.ts";
import { buildSuggest, withNext } from "./reply/build-suggest.ts";
import type { StepType } from "./steps/step-types.ts";
import type { ToolContext, ToolOutcome } from "./tool-context.ts";
import { inputSchema } from "./types/portable-schema.ts";
import type { ToolAnnotations } from "./words/annotate-tool.ts";
import { describeTool } from "./words/describe-tool.ts";
import { shortenInputs, withoutWords } from "./words/shorten-inputs.ts";
import { nameAliases } from "./words/tool-names.ts";

/** What has been found of a tool so far. */
export interface ToolParts {
  readonly name: string;
  readonly entry: ToolEntry;
  readonly at: EntryPath;
  readonly context: ToolContext;
  readonly report: Report;
  readonly effect: ToolAnnotations;
  /** But for `pageToken` and `filter`. */
  readonly inputs: readonly Input[];
  readonly filter?: BuiltFilter;
  readonly plan: Plan;
  readonly calls: CallList;
  readonly shaped: BuiltShape;
  /** Of a workflow: what its steps give. */
  readonly steps?: readonly StepType[];
  /** Its words are used where the curation has none. */
  readonly operation?: Operation;
  /** Where in the curation an operation is named. */
  placeOf(target: Target): EntryPath;
}

const DEFAULT_DEADLINE_MS = 45_000;

/** The tool as callers see it. It is left out where a part of the spec that it needs is broken. */
export function finishTool(parts: ToolParts): ToolOutcome {
  const { name, entry, at, context, report, effect, inputs, filter, plan, calls, shaped, operation, steps } = parts;
  const { curation, api, names } = context;
  const described = describeTool(name, entry, at, { curation, names, ...(operation !== undefined && { operation }) });
  const known = { curation, api, names, inputs, pins: context.pins.map((pin) => pin.name) };
  const { errors, problems } = buildErrors(entry, at, known);
  const broken = calls.drafts.find((one) => one.target.reader.faults.length > 0);
  if (broken !== undefined) return { problems: [spoiled(broken.target, parts.placeOf(broken.target), curation)] };
  for (const { target } of calls.drafts) reportPatterns(target, parts.placeOf(target), report);
  const asked = { ...known, plan, safe: effect.safe, ...(steps !== undefined && { steps }) };
  const confirm = buildConfirm(entry, at, asked, report);
  const suggest = buildSuggest(
    entry,
    at,
    { ...known, shape: shaped.shape, shown: shaped.shown, ...(steps !== undefined && { steps }) },
    report,
  );
  const isCompact = curation.content.server.descriptions === "compact";
  const told = isCompact ? shortenInputs(inputs) : inputs;
  const schema = inputSchema([...told, ...pageTokenInput(entry, effect.safe), ...confirmInput(confirm)]);
  const tool: Tool = {
    name: names.get(name) ?? name,
    title: described.title,
    description: described.description,
    annotations: effect.annotations,
    inputSchema:
      filter?.input === undefined ? schema : withFilterInput(schema, filter.input, filter.filter.required === true),
    ...(shaped.output !== undefined && {
      outputSchema: withFurther(shaped, confirm !== undefined, suggest.length > 0, isCompact),
    }),
    inputs,
    ...(filter !== undefined && { filter: filter.filter }),
    plan,
    shape: shaped.shape,
    ...(shaped.said !== undefined && { said: shaped.said }),
    errors,
    ...(suggest.length > 0 && { suggest }),
    ...(confirm !== undefined && { confirm }),
    deadlineMs: entry.deadline ?? DEFAULT_DEADLINE_MS,
    tags: entry.tags ?? [],
    ...(entry.states !== undefined && entry.states.length > 0 && { states: entry.states }),
    ...(entry.aliases !== undefined && { aliases: nameAliases(entry.aliases, curation) }),
  };
  return {
    compiled: { tool, calls: calls.drafts, shown: shaped.shown },
    problems: [...report.problems, ...effect.problems, ...shaped.problems, ...described.problems, ...problems],
  };
}

/** What stands in some replies beside what was asked for. */
function withFurther(
  { output, shape }: BuiltShape,
  asks: boolean,
  suggests: boolean,
  isCompact: boolean,
): PortableSchema {
  const own = output ?? { type: "object" };
  const next = suggests ? withNext(own, shape.kind === "list") : own;
  const whole = asks ? withConfirmation(next) : next;
  return isCompact ? withoutWords(whole) : whole;
}

/** A broken reference under what the tool needs: the tool is left out, and what else was found of it may come from that. */
function spoiled({ operation, reader }: Target, at: EntryPath, curation: Curation): Problem {
  const { pointer, fault } = reader.faults[0]!;
  return {
    ...curation.locate(at),
    code: "spec_fault",
    severity: "error",
    message: `\`${operation.id ?? operation.key}\` is broken in the spec at ${pointer}: ${fault}`,
    hint: "The tool is left out; the spec has to be mended.",
  };
}

function reportPatterns({ reader, operation }: Target, at: EntryPath, report: Report): void {
  for (const pattern of reader.unenforced) {
    const message = `RE2 cannot read the pattern ${pattern.slice(0, 80)} of \`${operation.id ?? operation.key}\`.`;
    report.add("note", "pattern_unenforced", at, message, "It is left to the upstream.");
  }
}
