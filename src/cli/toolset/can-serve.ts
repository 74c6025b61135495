import type { Shell } from "../command.ts";
import type { LoadedToolset } from "./toolset-request.ts";

/**
 * Says on stderr what is wrong with a toolset; false where nothing of it can be served. Tools that the spec breaks are left out, no more; `isTold` where
 * another process has said so.
 */
export async function canServe({ problems, toolset }: LoadedToolset, shell: Shell, isTold = false): Promise<boolean> {
  const errors = problems.filter((problem) => problem.severity === "error");
  const serves = toolset !== undefined && toolset.tools.length > 0;
  if (errors.length > 0 && !(serves && isTold)) {
    const { formatFindings, sortFindings } = await import("../commands/format-findings.ts");
    shell.note(formatFindings(sortFindings(errors), false));
  }
  if (!serves && errors.length === 0) shell.note("vitrine: no tool is left to serve.");
  return serves;
}
