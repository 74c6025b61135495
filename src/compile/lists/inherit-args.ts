import { valueRoots } from "../../curation/expression.ts";
import type { ToolEntry } from "../../curation/format.ts";
import { placeText } from "../../model/place.ts";
import type { SideContext } from "../calls/bind-side-call.ts";
import { pagePlaces } from "../calls/draft-call.ts";
import { openTarget } from "../calls/open-target.ts";
import { readArgs } from "../inputs/read-args.ts";
import { holds, placePath, type Sent } from "../inputs/sent-value.ts";
import { type EntryPath, UNHEARD } from "../open-report.ts";
import { findPlace } from "../places/find-place.ts";
import type { Target } from "../places/request-places.ts";
import { selectOperation } from "../places/select-operation.ts";
import type { ListRequest } from "./bind-aggregate.ts";

type Args = NonNullable<ToolEntry["args"]>;

export interface InheritedArgs {
  readonly args: Args;
  /** Where each that the list sends itself was written. */
  readonly origins: ReadonlyMap<string, EntryPath>;
}

/**
 * What another operation is sent for the total of a list: `over`, and what the list itself sends at each place that this operation has as
 * well. A null of `over` at a place that only the list has says that it does not narrow the list. Reports inputs of the list that the
 * operation is never told of: its total may be of more rows than the list has.
 */
export function inheritArgs(
  reference: string,
  over: Args,
  at: EntryPath,
  list: ListRequest,
  side: SideContext,
): InheritedArgs {
  const { context, tool } = side;
  // What is wrong with the operation itself is said where it is bound.
  const operation = selectOperation(reference, [], context.api, UNHEARD);
  if (operation === undefined) return { args: over, origins: new Map() };
  const unchecked = tool.unchecked === undefined ? {} : { unchecked: tool.unchecked };
  const target = openTarget(unchecked, at, operation, context, UNHEARD);
  const { kept, waived } = splitWaived(over, target, list.target);
  const laid = readArgs(kept, at, target, context.pins, UNHEARD);
  const taken = pathsOf(laid);
  const own = list.sent.flatMap((sent) => {
    const { text, raw } = writtenAs(sent, tool);
    const site = findPlace(text, target);
    if (site.kind === "problem" || isWithin(placePath(site.place), taken)) return [];
    return [{ text, raw, sent }];
  });
  const ignored = pathsOf(readArgs(waived, at, list.target, context.pins, UNHEARD));
  const meant = list.sent.filter(({ site }) => isWithin(placePath(site.place), [...ignored, ...taken]));
  // Where a place is misspelt that is the mistake to tell.
  const isMisspelt = Object.keys(kept).some((text) => findPlace(text, target).kind === "problem");
  if (!isMisspelt)
    refuseUntold([...own.map(({ sent }) => sent), ...laid, ...meant], operation.id ?? operation.key, at, list, side);
  return {
    args: { ...Object.fromEntries(own.map(({ text, raw }) => [text, raw])), ...kept },
    origins: new Map(own.map(({ text, sent }) => [text, sent.at])),
  };
}

/** Nulls at places that the list has and the other operation has not take nothing away there. */
function splitWaived(over: Args, target: Target, list: Target): { readonly kept: Args; readonly waived: Args } {
  const isWaived = (text: string) =>
    over[text] === null && findPlace(text, target).kind === "problem" && findPlace(text, list).kind === "site";
  const names = Object.keys(over);
  const pick = (some: readonly string[]) => Object.fromEntries(some.map((text) => [text, over[text]!]));
  return { kept: pick(names.filter((text) => !isWaived(text))), waived: pick(names.filter(isWaived)) };
}

function pathsOf(sent: readonly Sent[]): string[][] {
  return sent.map(({ site }) => placePath(site.place));
}

function isWithin(path: readonly string[], outer: readonly (readonly string[])[]): boolean {
  return outer.some((one) => holds(one, path));
}

/** As the author wrote it in `args`; an input that no expression names stands for the place of its name. */
function writtenAs({ at, site }: Sent, tool: ToolEntry): { text: string; raw: Args[string] } {
  const name = String(at.at(-1));
  if (at.at(-2) === "args") return { text: name, raw: tool.args?.[name] ?? null };
  return { text: name === "body" ? placeText(site.place) : name, raw: `\${input.${name}}` };
}

/** A total of another selection is a wrong number: whatever narrows the list narrows the total, or its author says that it does not. */
function refuseUntold(
  told: readonly Sent[],
  operation: string,
  at: EntryPath,
  list: ListRequest,
  side: SideContext,
): void {
  for (const { name, isInput } of namesOfUntold(told, list)) {
    const message = `\`${name}\` goes to the list and not to \`${operation}\`, whose total may be of more rows.`;
    const value = isInput ? `"\${input.${name}}"` : "…";
    const hint = `Send it: args: { PLACE: ${value} }; null at its place in the list says that it does not narrow the list.`;
    side.report.add("error", "total_unnarrowed", [...at, "operation"], message, hint);
  }
}

function namesOfUntold(told: readonly Sent[], list: ListRequest): { name: string; isInput: boolean }[] {
  const known = inputsOf(told);
  const inputs = [...inputsOf(list.sent)].filter((name) => name !== "limit" && !known.has(name));
  const paging = pagePlaces(list.call.pages).map(({ place }) => placePath(place));
  const fixed = list.sent.filter(
    (sent) => inputsOf([sent]).size === 0 && !told.includes(sent) && !isWithin(placePath(sent.site.place), paging),
  );
  return [
    ...inputs.map((name) => ({ name, isInput: true })),
    ...fixed.map(({ site }) => ({ name: placeText(site.place), isInput: false })),
  ];
}

function inputsOf(sent: readonly Sent[]): Set<string> {
  const reads = sent.flatMap(({ value }) => valueRoots(value).filter(({ root }) => root === "input"));
  return new Set(reads.flatMap(({ name }) => name ?? []));
}
