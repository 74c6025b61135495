import type { Json } from "../../model/json.ts";
import type { Slot } from "../survey/list-slots.ts";

const GOES_ON = /^(stream|follow|watch|tail)$/i;

/** Places that make an answer go on for ever unless they are told not to, each with what ends it. */
export function endStreams(slots: readonly Slot[]): ReadonlyMap<string, Json> {
  const open = slots.filter(
    ({ name, in: where, view: { type, schema } }) =>
      where === "query" && type === "boolean" && schema.default === true && GOES_ON.test(name),
  );
  return new Map<string, Json>(open.map(({ place }) => [place, false]));
}
