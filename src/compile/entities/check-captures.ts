import { expressionsOf } from "../../model/expressions-of.ts";
import type { Value } from "../../model/value.ts";
import type { EntryPath, Report } from "../open-report.ts";

/** Reports groups that a pattern does not capture. */
export function checkCaptures(value: Value, groups: number, at: EntryPath, report: Report): void {
  for (const { jmespath } of expressionsOf(value))
    for (const [, index] of jmespath.matchAll(/\bcaptures\s*\[\s*(\d+)\s*\]/g)) {
      if (Number(index) <= groups) continue;
      const message = `The pattern captures ${groups === 0 ? "no group" : `${groups} group${groups === 1 ? "" : "s"}`}, so there is no captures[${index}].`;
      report.add("error", "unknown_capture", at, message, "captures[0] is the whole text; put a group in ( ).");
    }
}
