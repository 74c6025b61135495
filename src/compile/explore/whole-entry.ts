import type { ToolEntry } from "../../curation/format.ts";
import { refuseHeader } from "../../curation/place.ts";
import { escapeToken } from "../../model/json-pointer.ts";
import { type Place, placeText } from "../../model/place.ts";
import { type FitStyle, fitStyle } from "../lists/fit-style.ts";
import { type PinPlan, pinOf } from "../pins/plan-pins.ts";
import { findPlace, listNames } from "../places/find-place.ts";
import type { Target } from "../places/request-places.ts";
import type { ToolContext } from "../tool-context.ts";
import { foldName } from "../types/portable-name.ts";

const LONGEST_NAME = 64;
const LIMIT = { default: 20, max: 1_000 };

export interface EntryChoices {
  /** Where in the body the rows are; absent: the body comes as it is. */
  readonly rows?: string;
  /** Inputs, by name, that the spec leaves open: they are JSON as text. */
  readonly open: ReadonlySet<string>;
}

/** The tool of one operation with every place that a caller may fill as an input: no pinned one, no credential, no header of the connection. */
export function wholeEntry(target: Target, context: ToolContext, { rows, open }: EntryChoices): ToolEntry {
  const paged = rows === undefined ? [] : pagedPlaces(target, context);
  const places = listNames(target).filter(({ place, name }) => {
    if ("name" in place && place.in === "header" && refuseHeader(name) !== undefined) return false;
    if (pinOf(place, context.pins) !== undefined || paged.includes(placeText(place))) return false;
    return findPlace(writtenPlace(place), target).kind === "site";
  });
  const taken = new Set(reservedNames(rows, context.pins));
  const inputs = places.map(({ name, place }) => {
    const free = freeName(foldName(name), place.in, taken);
    taken.add(free.toLowerCase());
    return { name: free, place: writtenPlace(place) };
  });
  return {
    operation: target.operation.key,
    input: Object.fromEntries(inputs.map(({ name }) => [name, open.has(name) ? { type: "json" } : {}])),
    args: Object.fromEntries(inputs.map(({ name, place }) => [place, `\${input.${name}}`])),
    ...(rows !== undefined && { result: { rows, limit: LIMIT } }),
  };
}

/** Whether one of the API's styles of pages has its places here. */
export function isPaged(target: Target, context: ToolContext): boolean {
  return fittingStyle(target, context) !== undefined;
}

/** The places that paging fills: a caller has `limit` and `pageToken` in their stead. */
function pagedPlaces(target: Target, context: ToolContext): string[] {
  const fit = fittingStyle(target, context);
  return [fit?.send, fit?.size].flatMap((site) => (site === undefined ? [] : placeText(site.place)));
}

function fittingStyle(target: Target, { curation }: ToolContext): FitStyle | undefined {
  const styles = curation.content.api.pages ?? [];
  return styles
    .map((style, at) => fitStyle(style, ["api", "pages", at], target))
    .find(({ lacks }) => lacks.length === 0);
}

/** In lower case: built-in inputs of such a call, and what is pinned. */
function reservedNames(rows: string | undefined, pins: readonly PinPlan[]): string[] {
  const ofLists = rows === undefined ? [] : ["limit", "filter"];
  return ["pagetoken", "confirm", ...ofLists, ...pins.map(({ name }) => name.toLowerCase())];
}

function freeName(name: string, where: Place["in"], taken: ReadonlySet<string>): string {
  const isFree = (one: string) => one.length <= LONGEST_NAME && !taken.has(one.toLowerCase());
  const found = [name, `${where}_${name}`].find(isFree);
  if (found !== undefined) return found;
  for (let count = 2; ; count += 1) {
    const numbered = `${name.slice(0, LONGEST_NAME - 4)}_${count}`;
    if (isFree(numbered)) return numbered;
  }
}

/** As an author would write it. */
function writtenPlace(place: Place): string {
  const name = "name" in place ? `.${escapeToken(place.name)}` : "";
  return `${place.in}${name}${place.pointer.map((part) => `/${escapeToken(part)}`).join("")}`;
}
