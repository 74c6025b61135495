import type { Curation } from "../curation/format.ts";
import type { Problem, Severity } from "../model/problem.ts";

/** Where in the curation's content something stands. */
export type EntryPath = readonly (string | number)[];

/** Findings as they come up while one part of the curation is compiled. */
export interface Report {
  readonly problems: readonly Problem[];
  add(severity: Severity, code: string, at: EntryPath, message: string, hint?: string): void;
}

export function openReport(curation: Curation): Report {
  const problems: Problem[] = [];
  return {
    problems,
    add(severity, code, at, message, hint) {
      if (isEcho(code, at, curation.leftOut)) return;
      problems.push({ ...curation.locate(at), code, severity, message, ...(hint !== undefined && { hint }) });
    },
  };
}

/** What the absence of an entry that was found wrong before would make wrong too; by the entry's place in its tool, or in the file. */
const ECHOES: readonly { readonly section: string; readonly codes: readonly string[] }[] = [
  { section: "input", codes: ["unknown_input", "required_unfilled"] },
  { section: "args", codes: ["required_unfilled", "unknown_place", "place_needs_type"] },
  { section: "operation", codes: ["required_unfilled", "unknown_place"] },
  { section: "result", codes: ["unknown_column", "needs_rows"] },
  { section: "pins", codes: ["unknown_pin", "required_unfilled"] },
  { section: "tools", codes: ["unknown_tool", "unknown_tool_name"] },
  { section: "auth", codes: ["auth_missing"] },
];

/** A mistake that is only the shadow of one already found is not told again. */
function isEcho(code: string, at: EntryPath, leftOut: Curation["leftOut"]): boolean {
  return leftOut.some((path) => {
    const inTool = path[0] === "tools" && path.length > 2;
    if (inTool && (at[0] !== "tools" || at[1] !== path[1])) return false;
    const section = inTool ? path[2] : path[0] === "api" ? path[1] : path[0];
    return ECHOES.some((echo) => echo.section === section && echo.codes.includes(code));
  });
}

/** `Did you mean "cost"?`, or what there is where nothing is near. */
export function hintFor(nearest: readonly string[], known: readonly string[] = []): string | undefined {
  if (nearest.length > 0) return `Did you mean ${nearest.map((name) => `"${name}"`).join(" or ")}?`;
  if (known.length === 0) return undefined;
  const shown = known.slice(0, 12).join(", ");
  return `There is ${shown}${known.length > 12 ? ` and ${known.length - 12} more` : ""}.`;
}
