import type { RE2JS } from "re2js";

/** Finds out whether a text holds a match; undefined where RE2 cannot express the pattern, which is then left unenforced. */
export type MatchPattern = (pattern: string, text: string) => boolean | undefined;

let engine: Promise<MatchPattern> | undefined;

/** Patterns of a spec on RE2 alone, in linear time (a backtracking engine would let a spec hang the server); loaded when first asked for. */
export function loadPatternMatcher(): Promise<MatchPattern> {
  engine ??= import("re2js").then(({ RE2JS }) => createPatternMatcher(RE2JS));
  return engine;
}

function createPatternMatcher(engine: typeof RE2JS): MatchPattern {
  // Patterns come from specs and curations only, never from callers, so their number is that of the loaded tools.
  const compiled = new Map<string, RE2JS | undefined>();
  return (pattern, text) => {
    if (!compiled.has(pattern)) compiled.set(pattern, compile(engine, pattern));
    return compiled.get(pattern)?.test(text);
  };
}

function compile(engine: typeof RE2JS, pattern: string): RE2JS | undefined {
  try {
    return engine.compile(engine.translateRegExp(pattern));
  } catch {
    return undefined;
  }
}
