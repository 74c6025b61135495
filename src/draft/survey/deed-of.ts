import { isAction } from "../word/actions.ts";
import type { Resource } from "./name-resource.ts";

/** What a write does, by its method and its path. */
export type Deed = "create" | "change" | "delete" | "act";

export function deedOf(method: string, { endsInKey, nouns, verb, keys }: Resource): Deed {
  if (method === "DELETE") return "delete";
  if (verb !== undefined) return "act";
  if (!endsInKey && keys.length > 0 && isAction(nouns.at(-1) ?? "")) return "act";
  return method === "POST" && !endsInKey ? "create" : "change";
}
