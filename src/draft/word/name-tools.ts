import { deedOf } from "../survey/deed-of.ts";
import { groupOf } from "../survey/name-resource.ts";
import type { Fact } from "../survey/read-fact.ts";
import { plural, singular, thingOfKey } from "./nouns.ts";
import { saysSearch } from "./subject-words.ts";

/** What tools are called already, by their operation, and every name that is not free. */
export interface GivenNames {
  readonly names: ReadonlyMap<string, string>;
  readonly taken: ReadonlySet<string>;
}

/** A name for each operation: what is done, then to what; where two would be called the same, with what it belongs to. */
export function nameTools(facts: readonly Fact[], prefix: string, given?: GivenNames): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set(given?.taken);
  const longest = 40 - prefix.length;
  const common = commonGroups(facts);
  for (const fact of facts) {
    const known = given?.names.get(fact.entry.key);
    if (known !== undefined) {
      names.set(fact.entry.key, known);
      continue;
    }
    const depths = saysLittle(fact, common) ? [1, 0, 2, 3] : [0, 1, 2, 3];
    const candidates = depths.map((depth) => fitName(nameTool(fact, depth), longest));
    const free =
      candidates.find((name) => !clashes(name, taken)) ??
      candidates.find((name) => !taken.has(name)) ??
      numbered(candidates[0]!, taken);
    taken.add(free);
    names.set(fact.entry.key, free);
  }
  return names;
}

/** Where most of what was chosen stands, which tells nothing of one. */
function commonGroups(facts: readonly Fact[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const fact of facts) {
    const group = groupOf(fact.resource);
    if (group !== undefined) counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  return new Set([...counts].filter(([, count]) => count > Math.max(2, facts.length / 3)).map(([group]) => group));
}

/** What is a part of many things, or a thing of one area, needs its owner's name. */
function saysLittle({ kind, resource }: Fact, common: ReadonlySet<string>): boolean {
  const { nouns, keys, thing, verb } = resource;
  const noun = nouns.at(-1) ?? "";
  if (kind === "write" || verb !== undefined || saysSearch(noun.split("_"))) return false;
  const owner = keys.filter(({ collection }) => collection !== resource.collection).at(-1);
  if (owner !== undefined && PARTS.test(noun) && groupOf(resource) === undefined)
    return !noun.startsWith(singular(nouns.at(-2) ?? noun));
  const group = groupOf(resource);
  return group !== undefined && !common.has(group) && !thing.startsWith(singular(group));
}

const PARTS = /^(history|stats?|statistics|status|details|properties|metadata|runs|users|attachments|items|values)$/;

/** The prefix, or none where the names of things are so long that it would cut them. */
export function prefixFor(facts: readonly Fact[], prefix: string): string {
  const longest = Math.max(0, ...facts.map((fact) => nameTool(fact, 0).length));
  return longest + prefix.length > 40 ? "" : prefix;
}

/** Names that differ in a plural alone are swapped by whoever writes them from memory. */
function clashes(name: string, taken: ReadonlySet<string>): boolean {
  const folded = name.split("_").map(singular).join("_");
  return [...taken].some((one) => one.split("_").map(singular).join("_") === folded);
}

function numbered(name: string, taken: ReadonlySet<string>): string {
  for (let count = 2; ; count += 1) if (!taken.has(`${name}_${count}`)) return `${name}_${count}`;
}

const READ_VERBS: ReadonlyMap<string, string> = new Map([
  ["info", "get"],
  ["describe", "get"],
  ["retrieve", "get"],
  ["fetch", "get"],
  ["read", "get"],
  ["find", "search"],
  ["lookup", "search"],
]);
const LONG_VERB = /^(get|list|search|count|export|query|look)_/;

/** `depth`: how many of the nouns before it stand in the name. */
function nameTool({ kind, resource, entry: { method } }: Fact, depth: number): string {
  const { nouns, verb } = resource;
  const [noun = "item", ...before] = nouns
    .flatMap(
      (one) =>
        one
          .replace(/^(search|query|lookup|find)(_|$)|(^|_)(search|query|lookup|find)$/g, "")
          .replace(/_v\d+$/, "")
          .replace(/^_|_$/g, "") || [],
    )
    .toReversed();
  const owners = before.slice(0, depth).toReversed().map(singular);
  const of = (thing: string) => [...owners, thing].join("_");
  if (verb !== undefined && /^(search|find|lookup)$/.test(nouns.at(-1) ?? "")) return `search_${plural(verb)}`;
  if (verb !== undefined && kind !== "write") return nameCall(verb, kind, noun, of);
  switch (kind) {
    case "list":
      return `list_${of(plural(noun))}${resource.endsInKey ? `_by_${thingOfKey(resource.keys.at(-1)!.name) || "key"}` : ""}`;
    case "search":
      return searchName(nouns.at(-1) ?? "", nouns.length > 1 ? of(plural(noun)) : undefined, plural(noun));
    case "detail":
      return `get_${of(singular(noun))}`;
    case "write":
      return nameDeed(method, resource, noun, of);
    case "single":
      return `get_${depth > 0 && owners.length === 0 ? "current_" : ""}${of(noun)}`;
    default:
      return kind satisfies never;
  }
}

/** `/pulls/{number}/merge` merges a pull request, `/chat.postMessage` posts a message. */
function nameDeed(method: string, resource: Fact["resource"], noun: string, of: (thing: string) => string): string {
  const deed = deedOf(method, resource);
  const { nouns, verb } = resource;
  if (verb !== undefined) return verb.includes("_") ? verb : `${verb}_${of(singular(noun))}`;
  if (deed === "act") return `${nouns.at(-1)}_${singular(nouns.at(-2) ?? "it")}`;
  return `${deed === "change" ? (resource.endsInKey ? "update" : "set") : deed}_${of(singular(noun))}`;
}

/** `/query_range` asks in a language and runs a query; `/search/repositories` finds repositories, and `/search` anything. */
function searchName(last: string, owned: string | undefined, things: string): string {
  if (/^(query|queries)(_|$)/.test(last)) return last.includes("_") ? last : `run_${last}`;
  if (/^(search|lookup|find)$/.test(last)) return owned === undefined ? `${last}_all` : `search_${owned}`;
  return `search_${owned ?? things}`;
}

function nameCall(verb: string, kind: Fact["kind"], noun: string, of: (thing: string) => string): string {
  const said = READ_VERBS.get(verb) ?? verb;
  if (/^(get|list|search|count|query)$/.test(said)) {
    const many = said === "list" || said === "search";
    return `${said}_${of(many ? plural(noun) : /^(info|describe|retrieve)$/.test(verb) || kind === "detail" ? singular(noun) : noun)}`;
  }
  const by = /^(?:get|find|lookup|fetch|search)_(by_.+)$/.exec(said)?.[1];
  if (by !== undefined) return `get_${of(singular(noun))}_${by}`;
  if (LONG_VERB.test(said)) return said;
  const isMany = kind === "list" || kind === "search";
  return `${isMany ? "list" : "get"}_${of(singular(noun))}_${isMany ? plural(said) : said}`;
}

function fitName(name: string, longest: number): string {
  const plain = name.replace(/[^a-z0-9_]/g, "").replace(/_+/g, "_");
  const words = plain.split("_");
  while (words.join("_").length > longest && words.length > 2) words.splice(1, 1);
  return words.join("_").slice(0, longest).replace(/_+$/, "");
}
