import type { ToolEntry } from "../../curation/format.ts";
import type { Binding } from "../../model/call.ts";
import { ownValue } from "../../model/json.ts";
import { nearestNames } from "../../model/nearest.ts";
import { placeText } from "../../model/place.ts";
import type { Value } from "../../model/value.ts";
import { type EntryPath, hintFor, type Report } from "../open-report.ts";
import { findPlace } from "../places/find-place.ts";
import type { Target } from "../places/request-places.ts";
import { wirePlace } from "../places/wire-type.ts";
import { findPinnedPlaces } from "./find-pinned-places.ts";
import type { PinPlan } from "./plan-pins.ts";

/**
 * The pinned bindings of one call. An operation that has no place for a pin, where its filter does not carry it either, is the error
 * `pin_unreached`, unless the tool says `unpinned` with a reason, which is reported as a note. `at` is where the operation is named.
 */
export function bindPins(
  pins: readonly PinPlan[],
  tool: ToolEntry,
  at: EntryPath,
  target: Target,
  filtered: ReadonlySet<string>,
  report: Report,
): Binding[] {
  if (at.length === OF_TOOL) checkUnpinned(pins, tool, at, report);
  const bindings = pins.flatMap((pin) => {
    const places = findPinnedPlaces(pin, target);
    const isCarried = filtered.has(pin.name) || places.some(({ always }) => always);
    if (!isCarried) reportUnreached(pin, tool, at, target, report);
    return places.map(({ site, always }): Binding => {
      const { type } = wirePlace(site, target.reader);
      const binding = { place: site.place, value: resolved(pin), pinned: true, type, required: true, nullable: false };
      return always ? binding : { ...binding, whereSent: true };
    });
  });
  return [...new Map(bindings.map((one) => [placeText(one.place), one])).values()];
}

/** Steps of the path of a tool; what is asked beside its own request stands further in. */
const OF_TOOL = 2;

/** The value as it was read once for the caller: a call sees neither the environment nor the key. */
function resolved({ name }: PinPlan): Value {
  return { kind: "expression", expression: { jmespath: `pins.${JSON.stringify(name)}` } };
}

function reportUnreached(pin: PinPlan, tool: ToolEntry, at: EntryPath, target: Target, report: Report): void {
  const operation = target.operation.id ?? target.operation.key;
  const reason = ownValue(tool.unpinned ?? {}, pin.name);
  if (reason !== undefined) {
    report.add(
      "note",
      "unpinned",
      [...at.slice(0, OF_TOOL), "unpinned", pin.name],
      `\`${operation}\` is sent without the pin \`${pin.name}\`: ${reason}`,
    );
    return;
  }
  const message = `\`${operation}\` has no place for the pin \`${pin.name}\`.`;
  const hint = `Name its place under \`pins.${pin.name}.places\`, or say why not: \`unpinned: {${pin.name}: …}\`.`;
  report.add("error", "pin_unreached", [...at, "operation"], message, hint);
}

/** The pins that a tool says it goes without. */
export function checkUnpinned(pins: readonly PinPlan[], tool: ToolEntry, at: EntryPath, report: Report): void {
  const names = pins.map(({ name }) => name);
  for (const name of Object.keys(tool.unpinned ?? {})) {
    if (names.includes(name)) continue;
    report.add(
      "error",
      "unknown_pin",
      [...at, "unpinned", name],
      `There is no pin \`${name}\`.`,
      hintFor(nearestNames(name, names), names),
    );
  }
}

/** Reports each place that a pin names and that no operation of the curation has: it is a mistake, not a place to come. */
export function checkPinPlaces(pins: readonly PinPlan[], targets: readonly Target[], report: Report): EntryPath[] {
  if (targets.length === 0) return [];
  const wrong: EntryPath[] = [];
  for (const pin of pins)
    for (const [index, text] of pin.places.entries()) {
      const found = targets.map((target) => findPlace(text, target));
      if (found.some(({ kind }) => kind === "site")) continue;
      const problem = found.find((one) => one.kind === "problem" && one.code !== "unknown_place") ?? found[0]!;
      if (problem.kind !== "problem") continue;
      const message = problem.code === "unknown_place" ? `No tool's operation has \`${text}\`.` : problem.message;
      const at = [...pin.at, "places", index];
      report.add("error", problem.code, at, message, problem.hint);
      wrong.push(at);
    }
  return wrong;
}
