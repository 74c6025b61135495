import type { ToolEntry } from "../curation/format.ts";
import { compileCall } from "./compile-call.ts";
import { openReport } from "./open-report.ts";
import { compileSteps } from "./steps/compile-steps.ts";
import type { ToolContext, ToolOutcome } from "./tool-context.ts";

/** One tool of the curation: of one operation, or of the steps of a workflow. */
export function compileTool(name: string, entry: ToolEntry, context: ToolContext): ToolOutcome {
  const { steps } = entry;
  if (steps === undefined) return compileCall(name, entry, context);
  if (Array.isArray(steps)) return compileSteps(name, entry, steps, context);
  const report = openReport(context.curation);
  const message = `The workflow \`${steps.arazzo}\` was not read, so the tool has no steps.`;
  report.add("error", "arazzo_unread", ["tools", name, "steps", "arazzo"], message, "Load it with `expandArazzo`.");
  return { problems: report.problems };
}
