import type { Curation } from "../../curation/format.ts";
import type { Api } from "../../model/api.ts";
import { exposeToolset } from "../../model/group/expose-toolset.ts";
import { escapeToken } from "../../model/json-pointer.ts";
import { listedTool } from "../../model/listed-tool.ts";
import type { Toolset } from "../../model/tool.ts";
import { measureList } from "../measure-cost.ts";
import type { LintFinding, LintSubject } from "./lint-rule.ts";
import { LINT_RULES } from "./lint-rules.ts";
import { placeProfile } from "./place-profile.ts";
import { toolsByKey } from "./tool-keys.ts";
import type { ToolProblem } from "./waivers.ts";

/** Bytes of JSON below which a list, and a tool, costs less than any rule could mind: the tokens of such texts are of three bytes and more. */
const CHEAP = { list: 24_000, tool: 4_500 };

/**
 * What misleads agents or breaks clients in a curation that compiled against its API, at its place there; with the name of a profile also what that
 * client refuses or takes at a loss. Waivers are not yet counted.
 */
export async function checkLint(
  curation: Curation,
  api: Api,
  toolset: Toolset,
  profile?: string,
): Promise<readonly ToolProblem[]> {
  const found = lintToolset(await openSubject(curation, api, toolset));
  return profile === undefined ? found : [...found, ...(await placeProfile(curation, toolset, profile))];
}

/** What there is to be linted. */
export async function openSubject(curation: Curation, api: Api, toolset: Toolset): Promise<LintSubject> {
  const exposed = exposeToolset(toolset);
  const listed = exposed.tools.map((tool) => listedTool(tool, exposed.server.structured));
  const sizes = listed.map((tool) => Buffer.byteLength(JSON.stringify(tool)));
  const isCheap = sizes.every((size) => size < CHEAP.tool) && sizes.reduce((sum, size) => sum + size, 0) < CHEAP.list;
  const tools = toolsByKey(curation, toolset);
  return { curation, api, toolset, listed, tools, ...(!isCheap && { cost: await measureList(listed) }) };
}

/** In the order of the rules. */
export function lintToolset(subject: LintSubject): readonly ToolProblem[] {
  return LINT_RULES.flatMap(({ code, check }) =>
    [...check(subject)].map((finding) => placeFinding(code, finding, subject.curation)),
  );
}

function placeFinding(code: string, finding: LintFinding, curation: Curation): ToolProblem {
  const { severity, at, tool, message, hint, part } = finding;
  return {
    code,
    severity,
    message,
    hint,
    ...curation.locate(at, "key", part),
    ...(tool !== undefined && { tool }),
    path: pointerTo(tool === undefined ? at : at.slice(2), part),
    isRule: true,
  };
}

/** A piece of a text stands behind `#`. */
function pointerTo(path: LintFinding["at"], part: string | undefined): string {
  const steps = path.map((step) => `/${escapeToken(String(step))}`);
  return `${steps.join("")}${part === undefined ? "" : `#${part}`}`;
}
