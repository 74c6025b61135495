import { RE2JS } from "re2js";

/** Whether RE2 can enforce a pattern of the spec: it has neither backreferences nor lookaround, and never backtracks. */
export function isEnforceable(pattern: string): boolean {
  try {
    RE2JS.compile(pattern);
    return true;
  } catch {
    return false;
  }
}

/** Whether clients can compile it: their validators read patterns as ECMAScript's with the flag `u`, and drop the whole tool on an error. */
export function isPortablePattern(pattern: string): boolean {
  if (!isEnforceable(pattern)) return false;
  try {
    new RegExp(pattern, "u");
    return true;
  } catch {
    return false;
  }
}
