import type { FilterEntry } from "../../curation/format.ts";
import { listTemplateFaults } from "../../filter/check-templates.ts";
import type { Binding, FilterDestination } from "../../model/call.ts";
import type { FilterField, FilterTarget } from "../../model/filter.ts";
import type { PortableSchema } from "../../model/schema.ts";
import type { ToolFilter } from "../../model/tool.ts";
import type { SideContext } from "../calls/bind-side-call.ts";
import { checkUnit } from "../inputs/check-arguments.ts";
import type { EntryPath, Report } from "../open-report.ts";
import type { PinPlan } from "../pins/plan-pins.ts";
import type { Target } from "../places/request-places.ts";
import { bindFilterDestination, isFilterNeeded } from "./bind-filter-destination.ts";
import { bindValueSource } from "./bind-value-source.ts";
import { checkAlways } from "./check-always.ts";
import { checkFilterPlaces } from "./check-filter-places.ts";
import { buildFilterInput, defaultDepth } from "./filter-input.ts";
import { filterKind, readFilterTarget } from "./filter-target.ts";
import { isCertain, readAlways } from "./read-always.ts";
import { faultyKey, isSource, readFields } from "./read-fields.ts";

/** A filter so far as it can be known before the tool's inputs are. */
export interface FilterDraft {
  readonly entry: FilterEntry;
  /** Of `filter`. */
  readonly at: EntryPath;
  readonly target: FilterTarget;
  /** Nothing can be written with the templates, which was reported. */
  readonly broken: boolean;
  readonly fields: readonly FilterField[];
  /** Names of fields of which something was reported. */
  readonly faulty: ReadonlySet<string>;
  /** Where it goes in the tool's own call; undefined where it has no place there, which was reported. */
  readonly destination?: FilterDestination;
  /** The call cannot be sent without a condition. */
  readonly needed: boolean;
}

/** Reads what a curation says of a filter, for the operation of the tool itself. */
export function draftFilter(
  entry: FilterEntry,
  at: EntryPath,
  call: Target,
  pins: readonly PinPlan[],
  report: Report,
): FilterDraft {
  const target = readFilterTarget(entry);
  const broken = checkLanguage(entry, at, target, report);
  const { fields, faulty } = readFields(entry, at, broken ? undefined : target, call, report);
  checkOffer(entry, at, report);
  const destination = bindFilterDestination(entry, at, call, pins, report);
  const needed =
    destination !== undefined &&
    isFilterNeeded(destination, call) &&
    !readAlways(entry).some(([, value]) => isCertain(value));
  if (needed && entry.hidden === true) {
    const message = `\`${entry.to}\` is required, and nothing is always filtered by.`;
    report.add("error", "required_unfilled", [...at, "to"], message, "Write a condition under `always`.");
  }
  return { entry, at, target, broken, fields, faulty, needed, ...(destination !== undefined && { destination }) };
}

export interface BuiltFilter {
  readonly filter: ToolFilter;
  /** The caller's input; absent where it is hidden. */
  readonly input?: PortableSchema;
}

/** The filter of a tool whose inputs and own bindings are known. */
export function buildFilter(draft: FilterDraft, bindings: readonly Binding[], side: SideContext): BuiltFilter {
  const { entry, at, target, broken, fields, faulty, destination, needed } = draft;
  const { inputs, context, report } = side;
  if (destination !== undefined && !broken) checkFilterPlaces(destination, fields, bindings, at, report);
  const { pins } = context;
  checkAlways(entry, at, { target: broken ? undefined : target, fields, faulty, inputs, pins }, report);
  for (const [name, field] of Object.entries(entry.fields ?? {}))
    if (!isSource(field) && field.unit !== undefined)
      checkUnit(field.unit, [...at, "fields", name, "unit"], inputs, pins, report);
  const source = entry.fields?.from;
  const from =
    source !== undefined && isSource(source) ? bindValueSource(source, [...at, "fields", "from"], side) : undefined;
  const depth = entry.depth ?? defaultDepth(target);
  const offered = entry.hidden !== true;
  const filter: ToolFilter = {
    offered,
    depth,
    fields,
    ...(from !== undefined && { from }),
    always: readAlways(entry),
    ...(needed && { required: true as const }),
  };
  if (!offered || broken) return { filter };
  const lister = from?.tool === undefined ? {} : { lister: from.tool };
  return { filter, input: buildFilterInput({ target, fields, discovers: from !== undefined, ...lister, depth }) };
}

/** What a language needs said, and what is said in vain. True where nothing can be written. */
function checkLanguage(entry: FilterEntry, at: EntryPath, target: FilterTarget, report: Report): boolean {
  const { dialect, templates, parameter } = entry;
  const isTemplated = dialect === "json" || dialect === "text";
  const vain = (key: string, message: string, hint: string) =>
    report.add("error", "conflicting_keys", [...at, key], message, hint);
  if (templates !== undefined && !isTemplated)
    vain(
      "templates",
      `\`${dialect}\` is written by rules of its own.`,
      "Templates are for `json` and `text`; an operator of one field is written under its `ops`.",
    );
  if (parameter !== undefined && dialect !== "strapi" && dialect !== "json-api")
    vain(
      "parameter",
      `\`${dialect}\` has no parameter of which names begin.`,
      "`parameter` is for `strapi` and `json-api`.",
    );
  const kind = filterKind(dialect);
  if (entry.to !== undefined && (kind === "parameters" || kind === "places")) {
    const hint =
      kind === "places" ? "Each field says its own `to`." : "The names of its parameters are the language's own.";
    vain("to", `\`${dialect}\` is sent as several parameters, which have no place together.`, hint);
  }
  if (!isTemplated) return false;
  if (templates === undefined) {
    const message = `\`${dialect}\` needs \`templates\`: how a condition is written.`;
    const hint =
      'For example templates: { single: { field: "{field}", op: "{op}", value: "{value}" }, all: { and: "{conditions}" } }.';
    report.add("error", "missing_key", at, message, hint);
    return true;
  }
  const faults = listTemplateFaults(target.templates ?? {});
  for (const fault of faults)
    report.add("error", "bad_template", [...at, "templates", ...faultyKey(fault)], fault, TEMPLATE_HINT);
  return faults.length > 0;
}

const TEMPLATE_HINT = "A template that lacks it would drop a part of the filter.";

/** Whether there is anything to filter by. */
function checkOffer(entry: FilterEntry, at: EntryPath, report: Report): void {
  const { fields = {}, always = {}, hidden = false, dialect } = entry;
  const source = fields["from"];
  if (hidden) {
    if (Object.keys(always).length > 0) return;
    const message = "A hidden filter without `always` filters nothing.";
    report.add("error", "nothing_to_filter", at, message, "Write conditions under `always`, or take the filter out.");
    return;
  }
  if (Object.keys(fields).length === 0) {
    const hint = "Name them under `fields`, or set `hidden: true` where only `always` counts.";
    report.add("error", "nothing_to_filter", at, "There is no field by which a caller could filter.", hint);
  }
  if (source === undefined || !isSource(source) || dialect !== "params") return;
  const message = "`params` sends each field to a place of its own, and of discovered fields none is known.";
  report.add("error", "conflicting_keys", [...at, "fields", "from"], message, "Name the fields.");
}
