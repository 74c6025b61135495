import { isJsonObject, type Json, ownValue } from "../../model/json.ts";

/** One thing that a text may stand for. */
export interface Candidate {
  readonly id: string;
  /** What tells it apart from others, as the look-up shows it. */
  readonly shown: Json;
}

/** What a look-up found, each thing once: scalars, or objects with their `id`. Undefined where one is neither. */
export function readCandidates(found: readonly Json[]): readonly Candidate[] | undefined {
  const candidates = new Map<string, Candidate>();
  for (const one of found) {
    const id = isJsonObject(one) ? ownValue(one, "id") : one;
    // What was found has no such thing, for example a task without a report.
    if (id === null) continue;
    if ((typeof id !== "string" && typeof id !== "number") || id === "") return undefined;
    if (!candidates.has(String(id))) candidates.set(String(id), { id: String(id), shown: one });
  }
  return [...candidates.values()];
}
