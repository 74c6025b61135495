import { parseValue, ROOTS } from "../../curation/expression.ts";
import type { PinEntry } from "../../curation/format.ts";
import { parsePlace } from "../../curation/place.ts";
import type { Json } from "../../model/json.ts";
import type { Place } from "../../model/place.ts";
import type { Pin } from "../../model/tool.ts";
import type { Value } from "../../model/value.ts";
import type { EntryPath } from "../open-report.ts";

/** A pin with the further places that the curation names. */
export interface PinPlan extends Pin {
  readonly at: EntryPath;
  readonly places: readonly string[];
}

export function planPins(pins: Readonly<Record<string, PinEntry>>): PinPlan[] {
  return Object.entries(pins).map(([name, entry]) => {
    const isWhole = typeof entry === "object" && !Array.isArray(entry);
    const raw: Json = isWhole ? entry.value : entry;
    // What cannot be parsed was refused when the file was read.
    const value: Value = parseValue(raw, ROOTS.pin).value ?? { kind: "literal", value: null };
    return { name, value, at: ["pins", name], places: isWhole ? (entry.places ?? []) : [] };
  });
}

/** Lower-case names that no caller sets inside a value: of the pins, and of what they are laid into. */
export function pinnedNames(pins: readonly PinPlan[]): ReadonlySet<string> {
  const inner = pins.flatMap(({ places }) =>
    places.flatMap((text) => {
      const place = parsePlace(text);
      return "fault" in place ? [] : (place.pointer.at(-1) ?? []);
    }),
  );
  return new Set([...pins.map(({ name }) => name), ...inner].map((name) => name.toLowerCase()));
}

/** The pin that owns a place, in any letter case: by its name anywhere in the place, or because the place lies in one of its own. */
export function pinOf(place: Place, pins: readonly PinPlan[]): PinPlan | undefined {
  const names = [...("name" in place ? [place.name] : []), ...place.pointer].map((name) => name.toLowerCase());
  return pins.find((pin) => names.includes(pin.name.toLowerCase()) || pin.places.some((text) => liesIn(place, text)));
}

function liesIn(place: Place, text: string): boolean {
  const outer = parsePlace(text);
  if ("fault" in outer) return false;
  const lower = (names: readonly string[]) => names.map((name) => name.toLowerCase());
  const inner = lower([...("name" in place ? [place.name] : []), ...place.pointer]);
  const named = "bare" in outer ? [outer.bare] : "name" in outer ? [outer.name] : [];
  const isSameKind = "bare" in outer || outer.in === place.in;
  const wanted = lower([...named, ...outer.pointer]);
  return isSameKind && wanted.length > 0 && wanted.every((name, at) => name === inner[at]);
}
