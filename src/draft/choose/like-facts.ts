import { onceFor } from "../../model/once-for.ts";
import type { Fact } from "../survey/read-fact.ts";
import { foldName } from "../word/nouns.ts";
import { rowsOf, thingInKind } from "./count-kinds.ts";

/** The thing that an operation is about, folded. */
export const nounOf = onceFor(({ resource }: Fact) => foldName(resource.thing));

/** Points off for what tells the same as another. */
export function likeness(fact: Fact, other: Fact): number {
  if (thingInKind(fact) === thingInKind(other)) return 10;
  if (fact.kind !== other.kind) return nounOf(fact) === nounOf(other) && isOfMany(fact) && isOfMany(other) ? 1.5 : 0;
  if (nounOf(fact) !== nounOf(other) && isSameThing(fact, other)) return 10;
  if (rowsOf(fact) !== "" && rowsOf(fact) === rowsOf(other)) return 5;
  return headOf(fact) !== "" && headOf(fact) === headOf(other) ? 0.6 : 0;
}

/** A cost report and a usage report are reports; empty where the name is one word. */
const headOf = onceFor(({ resource: { thing } }: Fact) => thing.slice(thing.lastIndexOf("_") + 1).replace(thing, ""));

function isOfMany({ kind }: Fact): boolean {
  return kind === "list" || kind === "search";
}

/** `/user/repos` and `/repositories` list the same, which their rows tell; `/users` and `/usergroups` do not. */
export function isSameThing(fact: Fact, other: Fact): boolean {
  const [one, two] = [nounOf(fact), nounOf(other)];
  if (one === two) return true;
  const [short, long] = one.length < two.length ? [one, two] : [two, one];
  // `query_range` is no longer word for `query`.
  if (short.length < 3 || !long.startsWith(short)) return false;
  if (fact.resource.thing.includes("_") || other.resource.thing.includes("_")) return false;
  if (fact.body.kind !== "rows" || other.body.kind !== "rows") return false;
  const [first, second] = [fact.body.row.properties, other.body.row.properties];
  const shared = [...first.keys()].filter((name) => second.has(name)).length;
  return shared > 0.6 * Math.max(first.size, second.size);
}
