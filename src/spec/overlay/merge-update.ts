import { isJsonObject, type Json, ownValue } from "../../model/json.ts";
import { copySpellings } from "../number-spelling.ts";

/** Two values that cannot be one. */
export class Incompatible extends Error {
  readonly code = "INCOMPATIBLE";
}

type Kind = "an object" | "a list" | "a single value";

/**
 * Lays `update` over `target` (Overlay 1.1 Action Object; 1.0 says the same but for lists): objects are merged, lists joined, single values
 * replaced. What is in neither way alike throws Incompatible. Neither is changed.
 */
function mergeUpdate(target: Json, update: Json): Json {
  // The standard's own example has a name without a value, to say that nothing is added there.
  if (update === null && kindOf(target) !== "a single value") return target;
  if (isJsonObject(target) && isJsonObject(update)) return mergeObjects(target, update);
  if (Array.isArray(target) && Array.isArray(update)) return [...target, ...update];
  if (kindOf(target) === "a single value" && kindOf(update) === "a single value") return update;
  throw new Incompatible(`${kindOf(update)} cannot be merged into ${kindOf(target)}`);
}

function mergeObjects(target: Readonly<Record<string, Json>>, update: Readonly<Record<string, Json>>): Json {
  const merged = new Map(Object.entries(target));
  for (const [name, value] of Object.entries(update)) {
    const known = ownValue(target, name);
    try {
      merged.set(name, known === undefined ? value : mergeUpdate(known, value));
    } catch (error) {
      if (error instanceof Incompatible) throw new Incompatible(`${error.message} (${JSON.stringify(name)})`);
      throw error;
    }
  }
  const both = Object.fromEntries(merged);
  for (const holder of [target, update]) copySpellings(holder, both);
  return both;
}

/** As `mergeUpdate` for the target of an action itself: to a list one entry may be added, in 1.0 also one that is a list. */
export function updateTarget(target: Json, update: Json, version: "1.0" | "1.1"): Json {
  if (!Array.isArray(target)) {
    if (kindOf(target) === "a single value" && version === "1.0")
      throw new Incompatible("a single value can be replaced since Overlay 1.1 only: select the object that holds it");
    return mergeUpdate(target, update);
  }
  return Array.isArray(update) && version !== "1.0" ? [...target, ...update] : [...target, update];
}

export function kindOf(value: Json): Kind {
  if (Array.isArray(value)) return "a list";
  return isJsonObject(value) ? "an object" : "a single value";
}
