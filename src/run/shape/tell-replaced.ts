import { isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import type { ShapeLimits } from "../../model/shape.ts";
import { clipCharacters } from "../clip-characters.ts";
import type { Shaped } from "./shaped.ts";

/** What stands for bytes that are no text in the charset that they should be in (WHATWG Encoding 4.1). */
const REPLACEMENT = "\ufffd";
/** What telling of it takes, at most. */
const TOLD_BYTES = 300;
const LONGEST_PATH = 100;

/** The reply that `shapeWith` makes; where bytes of an answer were replaced (`isSeen`) and it shows some of these, it says so and where. */
export function tellReplaced<S extends ShapeLimits>(
  shape: S,
  isSeen: boolean,
  shapeWith: (shape: S) => Shaped,
): Shaped {
  const whole = shapeWith(shape);
  if (!isSeen || findPlaces(whole.structured).size === 0) return whole;
  const less = shapeWith({ ...shape, budget: Math.max(0, shape.budget - TOLD_BYTES) });
  const places = [...findPlaces(less.structured)];
  return places.length === 0 ? less : addOmitted(less, sayPlaces(places));
}

function sayPlaces([first = "", ...others]: readonly string[]): JsonObject {
  const more = others.length === 0 ? "" : `, and likewise in ${others.length} more places`;
  const kept = `bytes that are no text in the answer's charset stand as U+FFFD${more}`;
  return { what: "text", path: clipCharacters(first, LONGEST_PATH), kept };
}

/** Positions in lists aside. */
function findPlaces(value: Json, path = "", found = new Set<string>()): Set<string> {
  if (typeof value === "string" && value.includes(REPLACEMENT)) found.add(path);
  else if (Array.isArray(value)) for (const item of value) findPlaces(item, `${path}[]`, found);
  else if (isJsonObject(value))
    for (const [name, inner] of Object.entries(value)) findPlaces(inner, path === "" ? name : `${path}.${name}`, found);
  return found;
}

/** Beside what is left out already, else before the rows. */
function addOmitted({ structured, text: _made, ...further }: Shaped, told: JsonObject): Shaped {
  const { omitted, data, ...rest } = structured;
  const own = Array.isArray(omitted) ? (omitted as readonly JsonObject[]) : [];
  const all = [told, ...own];
  if (data === undefined || !Object.hasOwn(structured, "rowCount"))
    return { ...further, structured: { omitted: all, ...rest, ...(data !== undefined && { data }) } };
  return { ...further, structured: { ...rest, omitted: all, data } };
}
