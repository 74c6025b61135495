import { createRequire } from "node:module";
import { rememberBounded } from "../../model/remember.ts";
import { isPlain } from "../words/plain-text.ts";
import { isPlainPattern } from "./is-plain-pattern.ts";

type Engine = typeof import("re2js")["RE2JS"];

let engine: Engine | undefined;

/** Loaded when the spec has a pattern beyond the plain ones, as it is large; by `require`, as that comes up in the midst of compiling. */
function re2(): Engine {
  engine ??= (createRequire(import.meta.url)("re2js") as typeof import("re2js")).RE2JS;
  return engine;
}

/** Patterns that are remembered; documents have the same few at many places. */
const MOST_KNOWN = 1_000;

/** Whether RE2 can enforce a pattern of the spec: it has neither backreferences nor lookaround, and never backtracks. */
export const isEnforceable: (pattern: string) => boolean = rememberBounded(MOST_KNOWN, compiles);

function compiles(pattern: string): boolean {
  if (isPlainPattern(pattern)) return true;
  try {
    re2().compile(pattern);
    return true;
  } catch {
    return false;
  }
}

/** How many groups a pattern captures; undefined where RE2 cannot read it. */
export function countGroups(pattern: string): number | undefined {
  try {
    return re2().compile(pattern).groupCount();
  } catch {
    return undefined;
  }
}

/** Whether it may be shown, with nothing hidden in it, and clients can compile it: their validators read patterns as ECMAScript's with the flag `u`, and drop the whole tool on an error. */
export function isPortablePattern(pattern: string): boolean {
  if (!isPlain(pattern) || !isEnforceable(pattern)) return false;
  try {
    new RegExp(pattern, "u");
    return true;
  } catch {
    return false;
  }
}
