import type { PortableSchema } from "../../../model/schema.ts";
import { membersLost, sameValue } from "./same-value.ts";

/** What became of the values that a keyword lets through. */
export type Way = "narrower" | "wider" | "other" | "unknown";

export interface KeywordChange {
  readonly keyword: string;
  readonly way: Way;
  readonly before: unknown;
  readonly after: unknown;
}

/** What is compared elsewhere: words, and what stands inside. */
const ELSEWHERE = new Set(["description", "properties", "required", "items", "default"]);

/** The keywords of one schema, not of those inside it, in which two differ; what they mean to values of it. */
export function compareKeywords(before: PortableSchema, after: PortableSchema): KeywordChange[] {
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((keyword) => !ELSEWHERE.has(keyword) && !sameValue(old.get(keyword), now.get(keyword)))
    .toSorted()
    .flatMap((keyword) => {
      const pair = [old.get(keyword), now.get(keyword)] as const;
      return waysOf(keyword, ...pair).map((way) => ({ keyword, way, before: pair[0], after: pair[1] }));
    });
}

function waysOf(keyword: string, before: unknown, after: unknown): readonly Way[] {
  return WAYS.get(keyword)?.(before, after) ?? ["unknown"];
}

/** A keyword that only narrows: without it there is no bound. */
function bound(narrows: (before: number, after: number) => boolean) {
  return (before: unknown, after: unknown): readonly Way[] => {
    if (before === undefined || after === undefined) return presence(before);
    if (typeof before !== "number" || typeof after !== "number") return ["unknown"];
    return [narrows(before, after) ? "narrower" : "wider"];
  };
}

const presence = (before: unknown): readonly Way[] => [before === undefined ? "narrower" : "wider"];
const least = bound((before, after) => after > before);
const most = bound((before, after) => after < before);

const WAYS: ReadonlyMap<string, (before: unknown, after: unknown) => readonly Way[]> = new Map([
  ["type", typeWays],
  ["enum", enumWays],
  ["minimum", least],
  ["minLength", least],
  ["minItems", least],
  ["maximum", most],
  ["maxLength", most],
  ["maxItems", most],
  ["pattern", orUnlike("unknown")],
  ["format", orUnlike("other")],
  ["additionalProperties", closedWays],
]);

/** Where both say something, and not the same, it is as `unlike` says. */
function orUnlike(unlike: Way) {
  return (before: unknown, after: unknown): readonly Way[] =>
    before === undefined || after === undefined ? presence(before) : [unlike];
}

function typeWays(before: unknown, after: unknown): readonly Way[] {
  if (before === undefined || after === undefined) return presence(before);
  if (before === "integer" && after === "number") return ["wider"];
  return [before === "number" && after === "integer" ? "narrower" : "other"];
}

function enumWays(before: unknown, after: unknown): readonly Way[] {
  if (before === undefined || after === undefined) return presence(before);
  if (!Array.isArray(before) || !Array.isArray(after)) return ["unknown"];
  return [
    ...(membersLost(before, after).length > 0 ? (["narrower"] as const) : []),
    ...(membersLost(after, before).length > 0 ? (["wider"] as const) : []),
  ];
}

function closedWays(before: unknown, after: unknown): readonly Way[] {
  const [closedBefore, closedAfter] = [before === false, after === false];
  if (closedBefore !== closedAfter) return [closedAfter ? "narrower" : "wider"];
  return ["unknown"];
}
