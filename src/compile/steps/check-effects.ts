import type { Curation, ToolEntry } from "../../curation/format.ts";
import type { EntryPath, Report } from "../open-report.ts";
import { isSafe } from "../words/annotate-tool.ts";
import { checkWrites } from "../words/check-writes.ts";
import { type OpenStep, type RequestStep, requestsOf } from "./open-steps.ts";

/** From the safest. */
const EFFECTS = ["read", "write", "destroy"] as const;

/** That the tool says no less of what it does than its steps do, that what they declare is known, and that it may write at all. */
export function checkEffects(
  steps: readonly OpenStep[],
  tool: ToolEntry,
  at: EntryPath,
  curation: Curation,
  report: Report,
): void {
  for (const step of requestsOf(steps)) {
    const { method } = step.request.target.operation;
    reportDeclared(step, report);
    if (!step.request.safe) checkWrites(step.entry, step.at, method, `Step \`${step.entry.id}\``, curation, report);
    const { effect } = step.entry;
    if (tool.effect === undefined || effect === undefined) continue;
    if (EFFECTS.indexOf(tool.effect) >= EFFECTS.indexOf(effect)) continue;
    const message = `The tool is declared to ${tool.effect}, and its step \`${step.entry.id}\` to ${effect}.`;
    report.add("error", "effect_too_safe", [...at, "effect"], message, `Write \`effect: ${effect}\`, or take it out.`);
  }
}

/** A step's declaration is believed, and what it takes back of its method's warning is said. */
function reportDeclared({ entry, at, request }: RequestStep, report: Report): void {
  const { method } = request.target.operation;
  if (entry.effect === undefined || entry.effect === "destroy" || isSafe({ method })) return;
  const what = entry.effect === "read" ? "only read" : "destroy nothing";
  const message = `Declared to ${what}, though it sends ${method}.`;
  const hint = "Callers are told so, and clients may skip a question.";
  report.add("note", "declared_safer", [...at, "effect"], message, hint);
}
