import { parseValue, ROOTS, type Roots, valueRoots } from "../../curation/expression.ts";
import type { ToolEntry } from "../../curation/format.ts";
import type { Binding } from "../../model/call.ts";
import { placeText } from "../../model/place.ts";
import type { Value } from "../../model/value.ts";
import type { EntryPath, Report } from "../open-report.ts";
import { type PinPlan, pinOf } from "../pins/plan-pins.ts";
import { findPlace } from "../places/find-place.ts";
import { insideTypes } from "../places/inside-types.ts";
import type { Target } from "../places/request-places.ts";
import { wirePlace } from "../places/wire-type.ts";
import { wholeInput } from "./check-mixing.ts";
import type { Sent } from "./sent-value.ts";

/** The entries of `args` that have a place. */
export function readArgs(
  args: ToolEntry["args"],
  at: EntryPath,
  target: Target,
  pins: readonly PinPlan[],
  report: Report,
  roots: Roots = ROOTS.call,
): Sent[] {
  return Object.entries(args ?? {}).flatMap(([text, raw]): Sent[] => {
    const here = [...at, text];
    // What cannot be parsed was refused when the file was read.
    const value = parseValue(raw, roots).value ?? ({ kind: "literal", value: null } satisfies Value);
    return readPlace(text, value, here, target, pins, report);
  });
}

/** A value for the place that an author wrote; none, and a finding, where the operation has no such place or a pin owns it. */
export function readPlace(
  text: string,
  value: Value,
  at: EntryPath,
  target: Target,
  pins: readonly PinPlan[],
  report: Report,
): Sent[] {
  const site = findPlace(text, target);
  if (site.kind === "problem") {
    report.add("error", site.code, at, site.message, site.hint);
    return [];
  }
  const pin = pinOf(site.place, pins);
  if (pin !== undefined) {
    report.add(
      "error",
      "pinned_place",
      at,
      `\`${text}\` is a place of the pin \`${pin.name}\`, which wins over everything.`,
      "Leave it out.",
    );
    return [];
  }
  const whole = value.kind === "expression" ? wholeInput(value.expression) : undefined;
  return [{ at, site, value, ...(whole !== undefined && { whole }) }];
}

/** Roots of what came from the upstream, or out of a text. */
const FOREIGN: ReadonlySet<string> = new Set(["steps", "item", "captures"]);

export function bindSent({ site, value }: Sent, target: Target, required: boolean): Binding {
  const { type, nullable } = wirePlace(site, target.reader);
  const isNested = type === "array" || type === "object";
  // What callers give was read by its type, and what authors write is what they mean.
  const inside =
    isNested && valueRoots(value).some(({ root }) => FOREIGN.has(root)) ? insideTypes(site, target.reader) : [];
  const nested = inside.length > 0 ? { inside } : {};
  return { place: site.place, value, pinned: false, type, nullable, required, ...nested };
}

export function reportTwice(sent: readonly Sent[], report: Report): void {
  const seen = new Set<string>();
  for (const { at, site } of sent) {
    const text = placeText(site.place);
    if (seen.has(text)) report.add("error", "place_twice", at, `\`${text}\` is filled twice.`, "Keep one of the two.");
    seen.add(text);
  }
}
