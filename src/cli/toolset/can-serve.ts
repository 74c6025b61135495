import type { Shell } from "../command.ts";
import type { LoadedToolset } from "./toolset-request.ts";

/** Says on stderr what is wrong with a toolset; false where nothing of it can be served. Tools that the spec breaks are left out, no more. */
export async function canServe({ problems, toolset }: LoadedToolset, shell: Shell): Promise<boolean> {
  const errors = problems.filter((problem) => problem.severity === "error");
  if (errors.length > 0) {
    const { formatFindings, sortFindings } = await import("../commands/format-findings.ts");
    shell.note(formatFindings(sortFindings(errors), false));
  }
  if (toolset !== undefined && toolset.tools.length > 0) return true;
  if (errors.length === 0) shell.note("vitrine: no tool is left to serve.");
  return false;
}
