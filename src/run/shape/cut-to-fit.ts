import type { Json, JsonObject } from "../../model/json.ts";
import { cutInside, whatIsKnown } from "./cut-inside.ts";
import { jsonBytes } from "./json-bytes.ts";
import { mergeOmissions, type Omission } from "./omit.ts";

/** Fewer bytes cannot hold the facts of a reply; a smaller budget counts as this one. */
export const SMALLEST_BUDGET = 512;
const ATTEMPTS = 12;

/**
 * The reply that `build` makes of the value, with the value cut inside until the whole is within the budget. `build` is given what was
 * cut, to say so in the reply; `path` is where the value stands in it.
 */
export function cutToFit(
  value: Json,
  path: string,
  budget: number,
  build: (value: Json, omitted: readonly Omission[]) => JsonObject,
): JsonObject {
  const known = whatIsKnown();
  let room = budget;
  for (let attempt = 0; attempt < ATTEMPTS && room > 0; attempt += 1) {
    const cut = cutInside(value, room, path, known);
    // Telling every place may cost more than it is worth: then the places are counted.
    const reply = build(cut.value, mergeOmissions(cut.omitted, attempt < ATTEMPTS / 2 ? undefined : 1));
    const over = jsonBytes(reply) - budget;
    if (over <= 0) return reply;
    room -= over;
  }
  return build(null, [{ what: "items", ...(path && { path }), kept: "nothing: it does not fit the budget" }]);
}
