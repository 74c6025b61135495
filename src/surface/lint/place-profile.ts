import type { Curation } from "../../curation/format.ts";
import type { Toolset } from "../../model/tool.ts";
import { applyProfile } from "../apply-profile.ts";
import { makeManifest } from "../manifest.ts";
import { LINT_RULES } from "./lint-rules.ts";
import { keysByListedName, toolsByKey } from "./tool-keys.ts";
import type { ToolProblem } from "./waivers.ts";

/** What the client `name` refuses or takes at a loss, each at the tool that it is about; of a group at its first. */
export async function placeProfile(
  curation: Curation,
  toolset: Toolset,
  name: string,
): Promise<readonly ToolProblem[]> {
  // Who made the list, and of what, no client sees.
  const manifest = await makeManifest(toolset, { vitrine: "", from: [] });
  const keys = keysByListedName(toolsByKey(curation, toolset));
  // What no client does well with, the rules have told already.
  const told = new Set(LINT_RULES.map(({ code }) => code));
  const findings = (applyProfile(manifest, name)?.findings ?? []).filter(({ code }) => !told.has(code));
  return findings.map(({ severity, code, tool: listed, message }) => {
    const tool = keys.get(listed ?? "")?.[0];
    const at = tool === undefined ? ["server"] : ["tools", tool];
    const hint = listed === undefined ? `Of the client ${name}.` : `Of the client ${name}, in \`${listed}\`.`;
    return { code, severity, message, hint, ...curation.locate(at), ...(tool !== undefined && { tool }), isRule: true };
  });
}
