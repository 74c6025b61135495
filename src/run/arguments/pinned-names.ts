import { callsOf } from "../../model/map-calls.ts";
import type { Pin, Tool } from "../../model/tool.ts";

/** Names, in lower case, under which a caller could try to set what a pin sets. */
export interface PinnedNames {
  /** Of the pins themselves. */
  readonly pins: ReadonlySet<string>;
  /** Of the parameters and properties that the pins go to, in any call of the tool. */
  readonly places: ReadonlySet<string>;
  /** Of what stands inside a body: the pins, and the properties that they go to. */
  readonly inside: ReadonlySet<string>;
}

export function pinnedNames(pins: readonly Pin[], tool: Tool): PinnedNames {
  const names = pins.map((pin) => pin.name.toLowerCase());
  const places = callsOf(tool).flatMap(({ bindings }) => bindings.filter((one) => one.pinned));
  const outer: string[] = [];
  const inner: string[] = [];
  for (const { place } of places) {
    const last = place.pointer.findLast((part) => part !== "-")?.toLowerCase();
    if ("name" in place) outer.push(place.name.toLowerCase());
    if (last !== undefined) (place.in === "body" ? inner : outer).push(last);
  }
  return {
    pins: new Set(names),
    places: new Set([...outer, ...inner]),
    inside: new Set([...names, ...inner]),
  };
}
