import type { Json, JsonObject } from "../../model/json.ts";
import { cutInside, whatIsKnown } from "./cut-inside.ts";
import { jsonBytes } from "./json-bytes.ts";
import { mergeOmissions, type Omission } from "./omit.ts";

/** Fewer bytes cannot hold the facts of a reply; a smaller budget counts as this one. */
export const SMALLEST_BUDGET = 512;
const ATTEMPTS = 8;

/** Makes a reply of a value and of what was cut in it. */
type Build = (value: Json, omitted: readonly Omission[]) => JsonObject;

/**
 * The reply that `build` makes of the value, with the value cut inside until the whole is within the budget. `build` is given what was
 * cut, to say so in the reply; `path` is where the value stands in it. Where not even that is, nothing of the value is left.
 */
export function cutToFit(value: Json, path: string, budget: number, build: Build): JsonObject {
  return (
    tryToFit(value, path, budget, build) ??
    build(null, [{ what: "items", ...(path && { path }), kept: "nothing: it does not fit the budget" }])
  );
}

/** The same; undefined where nothing of the value would be left. */
export function tryToFit(value: Json, path: string, budget: number, build: Build): JsonObject | undefined {
  const known = whatIsKnown();
  const tryTelling = (tell: (omitted: readonly Omission[]) => Omission[]): Fitted | undefined => {
    let room = budget;
    for (let attempt = 0; attempt < ATTEMPTS && room > 0; attempt += 1) {
      const cut = cutInside(value, room, path, known);
      const bytes = jsonBytes(cut.value);
      const reply = build(cut.value, tell(cut.omitted));
      const over = jsonBytes(reply) - budget;
      if (over <= 0) return { reply, bytes };
      // What has room to spare would not get any smaller by a little less of it.
      room = Math.min(room, bytes) - over;
    }
    return undefined;
  };
  const told = tryTelling((omitted) => mergeOmissions(omitted));
  if (told !== undefined && told.bytes >= budget / 4) return told.reply;
  // Telling every place may cost more than it is worth: then the places are counted.
  const counted = tryTelling((omitted) => countPlaces(omitted, path));
  return told !== undefined && told.bytes >= (counted?.bytes ?? 0) / 2 ? told.reply : counted?.reply;
}

interface Fitted {
  readonly reply: JsonObject;
  /** What is left of the value. */
  readonly bytes: number;
}

function countPlaces(omitted: readonly Omission[], path: string): Omission[] {
  const places = mergeOmissions(omitted, Number.POSITIVE_INFINITY);
  if (places.length <= 1) return places;
  return [{ what: "items", ...(path && { path }), kept: `a part: ${places.length} places in it were cut` }];
}
