import type { Curation } from "../../curation/format.ts";
import { nearestNames } from "../../model/nearest.ts";
import type { Problem } from "../../model/problem.ts";
import { openToolFinder } from "./find-tool.ts";
import { LINT_RULES } from "./lint-rules.ts";
import { PROFILE_CODES, WAIVABLE_CODES } from "./waivable-codes.ts";

/** A finding, and the entry of `tools` that it is about. */
export interface ToolProblem extends Problem {
  readonly tool?: string;
  /** JSON pointer from the tool's entry (without a tool: from the file) to what is meant. */
  readonly path?: string;
  /** Of a rule: a waiver covers it also where it is an error. */
  readonly isRule?: true;
}

/** Every code that may be waived. */
const KNOWN: readonly string[] = [...LINT_RULES.map(({ code }) => code), ...WAIVABLE_CODES, ...PROFILE_CODES];

interface Waiver {
  readonly code: string;
  readonly reason: string;
  /** Absent: of the whole curation. */
  readonly tool?: string;
  readonly at: readonly string[];
}

/**
 * Each finding with the tool in whose entry it stands. One that the curation waives (`lint: {CODE: reason}` on its tool or on `server`) becomes the note `waived`. Waivers that name nothing, waive
 * nothing or would waive an error of the curation are warnings of their own. `isWhole`: everything was looked at, so that what matches nothing has
 * nothing to waive.
 */
export function applyWaivers(
  found: readonly ToolProblem[],
  curation: Curation,
  isWhole: boolean,
): readonly ToolProblem[] {
  const toolOf = openToolFinder(curation);
  const problems = found.map((problem) => nameTool(problem, problem.tool ?? toolOf(problem)));
  const waivers = readWaivers(curation);
  if (waivers.length === 0) return problems;
  const covers = ({ code, tool }: Waiver, problem: ToolProblem) =>
    code === problem.code && (tool === undefined || tool === problem.tool);
  const told = problems.map((problem) => {
    const waiver = waivers.find((one) => covers(one, problem));
    return waiver === undefined || !isWaivable(problem) ? problem : waive(problem, waiver);
  });
  const idle = waivers.flatMap((waiver) => {
    const fault = faultOf(
      waiver,
      problems.filter((problem) => covers(waiver, problem)),
      isWhole,
    );
    return fault === undefined
      ? []
      : [{ ...fault, ...(waiver.tool !== undefined && { tool: waiver.tool }), ...curation.locate(waiver.at) }];
  });
  return [...told, ...idle];
}

function nameTool(problem: ToolProblem, tool: string | undefined): ToolProblem {
  return tool === undefined ? problem : { ...problem, tool };
}

/** Those of tools first: the nearer reason is told. */
function readWaivers({ content }: Curation): readonly Waiver[] {
  const ofTools = Object.entries(content.tools).flatMap(([tool, { lint = {} }]) =>
    Object.entries(lint).map(([code, reason]) => ({ code, reason, tool, at: ["tools", tool, "lint", code] })),
  );
  const ofServer = Object.entries(content.server.lint ?? {}).map(([code, reason]) => ({
    code,
    reason,
    at: ["server", "lint", code],
  }));
  return [...ofTools, ...ofServer];
}

function isWaivable({ severity, isRule }: ToolProblem): boolean {
  return severity !== "error" || isRule === true;
}

function waive({ code, message, hint: _, ...place }: ToolProblem, { reason }: Waiver): ToolProblem {
  return { ...place, code: "waived", severity: "note", message: `${code}: ${message}`, hint: `Waived: ${reason}` };
}

type Fault = Pick<Problem, "code" | "severity" | "message" | "hint">;

function faultOf({ code, tool }: Waiver, covered: readonly ToolProblem[], isWhole: boolean): Fault | undefined {
  if (covered.some(isWaivable)) return undefined;
  if (covered.length > 0) {
    const message = `\`${code}\` is an error of the curation, which no waiver covers.`;
    return { code: "waiver_of_error", severity: "warning", message, hint: "Correct it, and take the waiver out." };
  }
  if (!KNOWN.includes(code)) {
    const nearest = nearestNames(code, KNOWN);
    const hint =
      nearest.length > 0
        ? `Did you mean ${nearest.map((name) => `"${name}"`).join(" or ")}?`
        : "`vitrine check` shows the code of each finding; errors of the curation cannot be waived.";
    return { code: "unknown_waiver", severity: "warning", message: `There is no rule \`${code}\`.`, hint };
  }
  // Findings of a client come only where one is named.
  if (!isWhole || PROFILE_CODES.includes(code)) return undefined;
  const message = `\`${code}\` finds nothing ${tool === undefined ? "in this curation" : "in this tool"}.`;
  return { code: "unused_waiver", severity: "warning", message, hint: "Take the waiver out." };
}
