import type { Curation, ToolEntry } from "../../curation/format.ts";
import type { EntryPath, Report } from "../open-report.ts";

/** Reports a tool, or a step of one, that writes where the server does not say that its tools may. `who` begins the sentence. */
export function checkWrites(
  { effect }: Pick<ToolEntry, "effect">,
  at: EntryPath,
  method: string,
  who: string,
  curation: Curation,
  report: Report,
): void {
  if (curation.content.server.writes === true) return;
  const does = effect === undefined || effect === "read" ? `sends ${method}` : `is a ${effect}`;
  const message = `${who} ${does}, and \`server.writes\` is not true.`;
  const hint = "Set `writes: true` under `server`, or `effect: read` where the operation only reads.";
  report.add("error", "write_not_allowed", [...at, effect === undefined ? "operation" : "effect"], message, hint);
}
