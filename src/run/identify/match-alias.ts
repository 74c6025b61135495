import type { RE2JS } from "re2js";

/** The whole text and what each group found of it, null for one that took no part; undefined where the pattern does not fit the whole text. */
export type MatchAlias = (pattern: string, text: string) => readonly (string | null)[] | undefined;

let engine: Promise<MatchAlias> | undefined;

/** On RE2 alone, in linear time; loaded when a call first names something. */
export function loadAliasMatcher(): Promise<MatchAlias> {
  engine ??= import("re2js").then(({ RE2JS }) => createMatcher(RE2JS));
  return engine;
}

function createMatcher(engine: typeof RE2JS): MatchAlias {
  // Patterns come from curations only, never from callers, so their number is that of the loaded tools.
  const compiled = new Map<string, RE2JS>();
  return (pattern, text) => {
    const known = compiled.get(pattern) ?? engine.compile(pattern);
    compiled.set(pattern, known);
    const matcher = known.matcher(text);
    if (!matcher.matches()) return undefined;
    return Array.from({ length: matcher.groupCount() + 1 }, (_, group) => matcher.group(group) ?? null);
  };
}
