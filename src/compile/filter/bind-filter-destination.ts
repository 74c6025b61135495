import type { FilterEntry } from "../../curation/format.ts";
import type { FilledPlace, FilterDestination } from "../../model/call.ts";
import { placeText } from "../../model/place.ts";
import type { EntryPath, Report } from "../open-report.ts";
import { type PinPlan, pinOf } from "../pins/plan-pins.ts";
import { findPlace, type Site } from "../places/find-place.ts";
import type { Target } from "../places/request-places.ts";
import { wirePlace } from "../places/wire-type.ts";
import { filterKind, readFilterTarget } from "./filter-target.ts";
import { isCertain, readAlways, readAlwaysKey } from "./read-always.ts";
import { isSource } from "./read-fields.ts";
import { writtenRoot } from "./sample-filter.ts";

/**
 * Where the filter of a tool goes in one call: its own, or another that asks about the same rows. `at` is the path of `filter`. Undefined, and a
 * finding, where the operation has no place for it. That nothing else fills the place is seen to by `checkFilterPlaces`, once the bindings are known.
 */
export function bindFilterDestination(
  entry: FilterEntry,
  at: EntryPath,
  target: Target,
  pins: readonly PinPlan[],
  report: Report,
): FilterDestination | undefined {
  const language = readFilterTarget(entry);
  const kind = filterKind(entry.dialect);
  switch (kind) {
    case "parameters":
      return { target: language };
    case "places": {
      const places = placesOf(entry, at).map(({ to, at: here }) => {
        const site = readSite(to, here, target, pins, report);
        if (site !== undefined) checkMayBeAbsent(site, to, entry, here, target, report);
        return site && ([to, filled(site, target)] as const);
      });
      const found = places.filter((one) => one !== undefined);
      return found.length < places.length ? undefined : { target: language, places: found };
    }
    case "text":
    case "json": {
      if (entry.to === undefined) {
        const message = `\`${entry.dialect}\` is one ${kind === "text" ? "text" : "JSON value"}, and \`to\` does not say where it goes.`;
        report.add(
          "error",
          "missing_key",
          at,
          message,
          "Write to: with the place, for example query.filter or body/filter.",
        );
        return undefined;
      }
      const site = readSite(entry.to, [...at, "to"], target, pins, report);
      if (site === undefined) return undefined;
      const to = filled(site, target);
      checkTaken(to, entry, [...at, "to"], report);
      return { target: language, to };
    }
    default:
      return kind satisfies never;
  }
}

/** The place of each field that can come up, and what of the curation says so. */
function placesOf(entry: FilterEntry, at: EntryPath): { to: string; at: EntryPath }[] {
  const { fields = {}, always = {} } = entry;
  const declared = Object.entries(fields).flatMap(([name, field]) => {
    if (isSource(field)) return [];
    const here = [...at, "fields", name];
    return [{ name, to: field.to ?? name, at: field.to === undefined ? here : [...here, "to"] }];
  });
  const known = new Set(declared.map(({ name }) => name));
  const further = Object.keys(always).flatMap((key) => {
    const { name } = readAlwaysKey(key, entry);
    return known.has(name) ? [] : [{ to: name, at: [...at, "always", key] }];
  });
  return [...new Map([...declared, ...further].map((one) => [one.to, one])).values()];
}

function readSite(
  text: string,
  at: EntryPath,
  target: Target,
  pins: readonly PinPlan[],
  report: Report,
): Site | undefined {
  const site = findPlace(text, target);
  if (site.kind === "problem") {
    report.add("error", site.code, at, site.message, site.hint);
    return undefined;
  }
  const pin = pinOf(site.place, pins);
  if (pin === undefined) return site;
  const message = `\`${text}\` is a place of the pin \`${pin.name}\`, which wins over everything.`;
  report.add("error", "pinned_place", at, message, "Leave it out.");
  return undefined;
}

function filled(site: Site, { reader }: Target): FilledPlace {
  return { place: site.place, type: wirePlace(site, reader).type };
}

/** A condition may be left out, and a place that the operation needs may not. */
function checkMayBeAbsent(
  site: Site,
  to: string,
  entry: FilterEntry,
  at: EntryPath,
  target: Target,
  report: Report,
): void {
  if (!site.required.every(Boolean)) return;
  const isSure = readAlways(entry).some(([key, value]) => {
    const { name } = readAlwaysKey(key, entry);
    const field = entry.fields?.[name];
    return isCertain(value) && (field === undefined || isSource(field) ? name : (field.to ?? name)) === to;
  });
  if (isSure) return;
  const operation = target.operation.id ?? target.operation.key;
  const message = `\`${placeText(site.place)}\` is required by \`${operation}\`, and a caller may leave the condition out.`;
  report.add(
    "error",
    "required_unfilled",
    at,
    message,
    "Make it an input of its own, or give it a value under `always`.",
  );
}

/** What is written, and where the place takes no such thing. */
function checkTaken(to: FilledPlace, entry: FilterEntry, at: EntryPath, report: Report): void {
  const written = writtenRoot(readFilterTarget(entry));
  const isTaken = to.type === "any" || to.type === "string" || written === undefined || to.type === written;
  if (isTaken) return;
  const message = `\`${entry.dialect}\` writes ${articled(written)}, and \`${entry.to}\` takes ${articled(to.type)}.`;
  report.add("error", "bad_value", at, message, "Name the place of the whole filter, or another dialect.");
}

function articled(type: string): string {
  return `${/^[aeiou]/.test(type) ? "an" : "a"} ${type}`;
}

/** Whether the operation needs the place of the filter. That it needs a body says nothing of what stands in it. */
export function isFilterNeeded({ to }: Pick<FilterDestination, "to">, target: Target): boolean {
  if (to === undefined || (to.place.in === "body" && to.place.pointer.length === 0 && to.type !== "string"))
    return false;
  const site = findPlace(placeText(to.place), target);
  return site.kind === "site" && site.required.every(Boolean);
}
