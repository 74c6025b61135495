import type { Curation } from "../curation/format.ts";
import { once } from "../model/once.ts";
import type { Problem, Severity, SourcePosition } from "../model/problem.ts";
import { isEcho } from "./is-echo.ts";

/** Where in the curation's content something stands. */
export type EntryPath = readonly (string | number)[];

/** Findings as they come up while one part of the curation is compiled. */
export interface Report {
  readonly problems: readonly Problem[];
  /** `part` is the piece of a text that is meant. */
  add(severity: Severity, code: string, at: EntryPath, message: string, hint?: string, part?: string): void;
}

/** For what is looked at once more, and was reported before or will be later. */
export const UNHEARD: Report = { problems: [], add: () => {} };

export function openReport(curation: Curation): Report {
  const problems: Problem[] = [];
  return {
    problems,
    add(severity, code, at, message, hint, part) {
      if (isEcho(code, at, message, curation.leftOut)) return;
      const position = once(() => curation.locate(at, OF_VALUES.has(code) ? "value" : "key", part));
      problems.push(placeLater(position, { code, severity, message, ...(hint !== undefined && { hint }) }));
    },
  };
}

/** Where a finding stands takes a second reading of the whole text, which most findings of a server's start are not worth: nobody sees them. */
function placeLater(position: () => SourcePosition, finding: Omit<Problem, keyof SourcePosition>): Problem {
  return {
    get file() {
      return position().file;
    },
    get line() {
      return position().line;
    },
    get column() {
      return position().column;
    },
    ...finding,
  };
}

/** What is wrong is what the key holds, not that it stands there. */
const OF_VALUES: ReadonlySet<string> = new Set([
  "bad_base_url",
  "bad_default",
  "bad_pattern",
  "bad_value",
  "confirm_reads_later",
  "effect_too_safe",
  "form_mismatch",
  "free_text_in_text",
  "later_step",
  "not_a_list",
  "not_a_list_of_names",
  "path_not_in_spec",
  "rows_not_a_list",
  "spec_fault",
  "step_cycle",
  "sum_not_number",
  "total_not_number",
  "unknown_capture",
  "unknown_column",
  "unknown_entity",
  "unknown_enum_value",
  "unknown_input",
  "unknown_media_type",
  "unknown_operation",
  "unknown_state",
  "unknown_step",
  "unknown_tool_name",
  "wrong_argument_type",
]);

/** `Did you mean "cost"?`, or what there is where nothing is near. */
export function hintFor(nearest: readonly string[], known: readonly string[] = []): string | undefined {
  if (nearest.length > 0) return `Did you mean ${nearest.map((name) => `"${name}"`).join(" or ")}?`;
  if (known.length === 0) return undefined;
  const distinct = [...new Set(known)];
  const shown = distinct.slice(0, 12).join(", ");
  return `There is ${shown}${distinct.length > 12 ? ` and ${distinct.length - 12} more` : ""}.`;
}
