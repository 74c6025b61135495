import type { ToolEntry } from "../../curation/format.ts";
import type { Call, FilterDestination } from "../../model/call.ts";
import { placeText } from "../../model/place.ts";
import { bindSideCall, layOver, type SideContext } from "../calls/bind-side-call.ts";
import { type CallChoices, filterPlaces, pagePlaces } from "../calls/draft-call.ts";
import { bindFilterDestination } from "../filter/bind-filter-destination.ts";
import { checkFilterPlaces } from "../filter/check-filter-places.ts";
import { checkArguments } from "../inputs/check-arguments.ts";
import { bindSent, readArgs, reportTwice } from "../inputs/read-args.ts";
import { holds, placePath, type Sent } from "../inputs/sent-value.ts";
import { type EntryPath, type Report, UNHEARD } from "../open-report.ts";
import type { Target } from "../places/request-places.ts";
import { wirePlace } from "../places/wire-type.ts";
import { readSuccessBody } from "../reply/response-schema.ts";
import { bindPages } from "./bind-pages.ts";
import type { Aggregate, AggregateEntry } from "./build-totals.ts";
import { inheritArgs } from "./inherit-args.ts";

/** The list's own request, of which the aggregate is made. */
export interface ListRequest {
  readonly target: Target;
  readonly call: Call;
  readonly choices: CallChoices;
  readonly sent: readonly Sent[];
}

/**
 * The request for a total: the list's own with `args` laid over it, or one of another operation, which gets what the list sends at every
 * place that it has too. Both carry the pins, the filter, and pages of their own.
 */
export function bindAggregate(
  entry: AggregateEntry,
  at: EntryPath,
  list: ListRequest,
  side: SideContext,
): Aggregate | undefined {
  const { operation } = list.target;
  const { operation: named } = entry;
  if (named === undefined || named === operation.id || named === operation.key) return bindOwn(entry, at, list, side);
  return bindOther(entry, named, at, list, side);
}

function bindOwn(entry: AggregateEntry, at: EntryPath, list: ListRequest, side: SideContext): Aggregate | undefined {
  const { target, call, choices } = list;
  const { tool, report, context, inputs, calls } = side;
  if (!choices.safe) {
    const message = "The tool may write, so its request is not sent again for a total.";
    report.add("error", "unsafe_source", at, message, "Name another operation, or take the total from a `count`.");
    return undefined;
  }
  const over = readArgs(entry.args, [...at, "args"], target, context.pins, report);
  reportTwice(over, report);
  checkArguments(over, inputs, context.pins, target, report);
  checkNulls(over, target, side);
  const bindings = layOver(
    call.bindings,
    over.map((one) => bindSent(one, target, one.site.required.every(Boolean))),
  );
  if (call.filter !== undefined) checkFilterFree(call.filter, over, side);
  const sent = [...list.sent.filter((one) => !isReplaced(one, over)), ...over];
  const pages = bindPages({ ...ownPages(tool), sent, safe: true }, side.at, target, context, UNHEARD);
  const filled = { ...filterOf(call), ...(pages !== undefined && { pages: pages.plan }) };
  const body = readSuccessBody(target.operation, tool.accept).schema;
  return { call: calls.add({ bindings, ...filled }, target, choices), body };
}

function bindOther(
  entry: AggregateEntry,
  operation: string,
  at: EntryPath,
  list: ListRequest,
  side: SideContext,
): Aggregate | undefined {
  const { tool, report, context } = side;
  const { args, origins } = inheritArgs(operation, entry.args ?? {}, at, list, side);
  const told = { ...side, report: reportAt(origins, [...at, "args"], report) };
  const bound = bindSideCall({ operation, args }, at, told, (target) => {
    const sent = readArgs(args, [...at, "args"], target, context.pins, UNHEARD);
    checkNulls(sent, target, side);
    const pages = bindPages({ sent, safe: true }, at, target, context, UNHEARD);
    const filterAt = [...side.at, "filter"];
    const filter = tool.filter && bindFilterDestination(tool.filter, filterAt, target, context.pins, report);
    return {
      places: [...filterPlaces(filter), ...pagePlaces(pages?.plan)],
      call: { ...filterOf({ filter }), ...(pages !== undefined && { pages: pages.plan }) },
    };
  });
  if (bound === undefined) return undefined;
  const { call, target } = bound;
  if (call.filter !== undefined) checkFilterPlaces(call.filter, [], call.bindings, [...side.at, "filter"], report);
  return { call, body: readSuccessBody(target.operation).schema };
}

function filterOf({ filter }: { readonly filter?: FilterDestination | undefined }): Pick<Call, "filter"> {
  return filter === undefined ? {} : { filter };
}

export function ownPages({ pages }: ToolEntry): { readonly own?: NonNullable<ToolEntry["pages"]> } {
  return pages === undefined ? {} : { own: pages };
}

/** A report that tells what is wrong with an inherited argument where that was written. */
function reportAt(origins: ReadonlyMap<string, EntryPath>, args: EntryPath, report: Report): Report {
  const written = (path: EntryPath) => {
    const isBelow = args.every((step, index) => step === path[index]);
    const origin = isBelow ? origins.get(String(path[args.length])) : undefined;
    return origin === undefined ? path : [...origin, ...path.slice(args.length + 1)];
  };
  return { ...report, add: (severity, code, path, ...rest) => report.add(severity, code, written(path), ...rest) };
}

/** What stands at the same place as something that is laid over, or inside it. */
function isReplaced({ site }: Sent, over: readonly Sent[]): boolean {
  return over.some((one) => holds(placePath(one.site.place), placePath(site.place)));
}

/** A null takes a value away, which only an optional place, or one that takes null, allows. */
function checkNulls(sent: readonly Sent[], target: Target, { report }: SideContext): void {
  for (const { at, site, value } of sent) {
    if (value.kind !== "literal" || value.value !== null || !site.required.every(Boolean)) continue;
    if (wirePlace(site, target.reader).nullable) continue;
    const message = `\`${placeText(site.place)}\` is required, so it cannot be left out of the request for the total.`;
    report.add("error", "bad_value", at, message, "Give it another value.");
  }
}

/** The total of a list that is filtered is filtered by the same. */
function checkFilterFree(filter: FilterDestination, over: readonly Sent[], { report }: SideContext): void {
  const taken = filterPlaces(filter).map(({ place }) => placePath(place));
  for (const { at, site } of over) {
    const path = placePath(site.place);
    if (!taken.some((one) => holds(path, one) || holds(one, path))) continue;
    const message = `\`${placeText(site.place)}\` carries the filter, which the total is filtered by as well.`;
    report.add("error", "place_twice", at, message, "Leave it out.");
  }
}
