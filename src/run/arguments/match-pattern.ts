import type { RE2JS } from "re2js";

/**
 * Finds out whether a text holds a match; undefined where RE2 cannot express the pattern, or the call has no steps left for it: it is then left
 * unenforced.
 */
export type MatchPattern = (pattern: string, text: string, steps: Steps) => boolean | undefined;

/** Of all texts of a call: RE2 is linear in a text, but each character may cost as many steps as the pattern has parts, and `(a?){1000}` has many. */
export interface Steps {
  left: number;
}

/** Half a second or so. A list of 10,000 UUIDs takes the half of it. */
const MOST_STEPS = 50_000_000;

export function startSteps(): Steps {
  return { left: MOST_STEPS };
}

let engine: Promise<MatchPattern> | undefined;

/** Patterns of a spec on RE2 alone, in linear time (a backtracking engine would let a spec hang the server); loaded when first asked for. */
export function loadPatternMatcher(): Promise<MatchPattern> {
  engine ??= import("re2js").then(({ RE2JS }) => createPatternMatcher(RE2JS));
  return engine;
}

function createPatternMatcher(engine: typeof RE2JS): MatchPattern {
  // Patterns come from specs and curations only, never from callers, so their number is that of the loaded tools.
  const compiled = new Map<string, RE2JS | undefined>();
  return (pattern, text, steps) => {
    if (!compiled.has(pattern)) compiled.set(pattern, compile(engine, pattern));
    const known = compiled.get(pattern);
    if (known === undefined) return undefined;
    steps.left -= known.programSize() * text.length;
    return steps.left < 0 ? undefined : known.test(text);
  };
}

function compile(engine: typeof RE2JS, pattern: string): RE2JS | undefined {
  try {
    return engine.compile(engine.translateRegExp(pattern));
  } catch {
    return undefined;
  }
}
