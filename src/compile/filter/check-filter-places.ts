import type { Binding, FilterDestination, WireType } from "../../model/call.ts";
import { FILTER_OPS, type FilterField, type FilterTarget, type WrittenFilter } from "../../model/filter.ts";
import { isJsonObject } from "../../model/json.ts";
import { type Place, placeText } from "../../model/place.ts";
import { holds, placePath } from "../inputs/sent-value.ts";
import type { EntryPath, Report } from "../open-report.ts";
import { sampleJson, writeSample } from "./sample-filter.ts";

/**
 * Reports where a filter would be sent to a place that something else fills in the same call. `at` is the path of `filter`; `fields` are those that the
 * author names (of discovered ones only a call can tell).
 */
export function checkFilterPlaces(
  destination: FilterDestination,
  fields: readonly FilterField[],
  bindings: readonly Binding[],
  at: EntryPath,
  report: Report,
): void {
  const { to, places = [], target } = destination;
  const own = bindings.filter(({ pinned }) => !pinned);
  for (const part of to === undefined ? [] : partsOf(to.place, target))
    if (own.some((one) => overlaps(one.place, part))) reportTwice(placeText(part), [...at, "to"], report);
  for (const [text, { place, type }] of places) {
    const field = fields.find((one) => one.to === text);
    if (field !== undefined && ONE_VALUE.has(type)) refuseLists(field, placeText(place), [...at, "fields"], report);
    const name = field?.name;
    if (own.some((one) => overlaps(one.place, place)))
      reportTwice(placeText(place), name === undefined ? [...at, "always", text] : [...at, "fields", name], report);
  }
  for (const { name, parameter } of parametersOf(fields, target)) {
    const taken = bindings.find(({ place, pinned }) => isParameter(place, parameter, pinned));
    if (taken === undefined) continue;
    const here = [...at, "fields", name];
    if (!taken.pinned) reportTwice(`query.${parameter}`, here, report);
    else {
      const message = `\`${parameter}\` is a place of a pin, which wins over everything.`;
      report.add("error", "pinned_place", here, message, "Leave the field out: the pin is always filtered by.");
    }
  }
}

const ONE_VALUE: ReadonlySet<WireType> = new Set(["string", "integer", "number", "boolean"]);

function refuseLists({ name, templates = {} }: FilterField, place: string, at: EntryPath, report: Report): void {
  for (const op of FILTER_OPS.filter((one) => templates[one] === "{values}")) {
    const message = `\`${place}\` takes one value, and \`${op}\` sends a list there.`;
    report.add(
      "error",
      "filter_not_expressible",
      [...at, name],
      message,
      `Leave \`${op}\` out, or write how a list is said: ops: { ${op}: … }.`,
    );
  }
}

function overlaps(one: Place, other: Place): boolean {
  const [a, b] = [placePath(one), placePath(other)];
  return holds(a, b) || holds(b, a);
}

function reportTwice(place: string, at: EntryPath, report: Report): void {
  const message = `\`${place}\` is filled by the filter, and by \`args\` or an input too.`;
  report.add(
    "error",
    "place_twice",
    at,
    message,
    "Keep one of the two; what is always filtered by stands under `always`.",
  );
}

/** The query parameters that the fields of a dialect of parameters are written to. */
function parametersOf(fields: readonly FilterField[], target: FilterTarget): { name: string; parameter: string }[] {
  const found = fields.flatMap((field) =>
    (field.ops ?? []).flatMap((op) =>
      parametersWritten(writeSample(field, op, target)).map((parameter) => ({ name: field.name, parameter })),
    ),
  );
  return [...new Map(found.map((one) => [`${one.name} ${one.parameter}`, one])).values()];
}

function parametersWritten(written: WrittenFilter | undefined): string[] {
  return written?.kind === "parameters" ? written.parameters.map(([name]) => name) : [];
}

/** The place of one text or value; a filter that is a whole body stands beside what else is in it. */
function partsOf(place: Place, target: FilterTarget): readonly Place[] {
  const value = place.in === "body" && place.pointer.length === 0 ? sampleJson(target) : undefined;
  if (value === undefined || !isJsonObject(value)) return [place];
  return Object.keys(value).map((key) => ({ in: "body", pointer: [key] }));
}

/** Names that are pinned count in any letter case. */
function isParameter(place: Place, parameter: string, pinned: boolean): boolean {
  if (place.in !== "query") return false;
  const name = `${place.name}${place.pointer.map((step) => `[${step}]`).join("")}`;
  return pinned ? name.toLowerCase() === parameter.toLowerCase() : name === parameter;
}
