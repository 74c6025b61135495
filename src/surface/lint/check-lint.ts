import type { Curation } from "../../curation/format.ts";
import type { Api } from "../../model/api.ts";
import { exposeToolset } from "../../model/group/expose-toolset.ts";
import { escapeToken } from "../../model/json-pointer.ts";
import { listedTool } from "../../model/listed-tool.ts";
import type { Toolset } from "../../model/tool.ts";
import { measureList } from "../measure-cost.ts";
import type { LintFinding, LintRule, LintSubject } from "./lint-rule.ts";
import { LINT_RULES } from "./lint-rules.ts";
import { mostTokens } from "./most-tokens.ts";
import { placeProfile } from "./place-profile.ts";
import { toolsByKey } from "./tool-keys.ts";
import type { ToolProblem } from "./waivers.ts";

/** Tokens below which a list, and a tool, costs less than any rule could mind. */
const CHEAP = { list: 8_000, tool: 1_500 };

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

/** Of the same only warnings, of a list that is kept short: its cost, which is dear to know, is not looked at. */
export async function checkWarnings(curation: Curation, api: Api, toolset: Toolset): Promise<readonly ToolProblem[]> {
  const rules = LINT_RULES.filter(({ severity }) => severity !== "note");
  const found = lintToolset(costless(curation, api, toolset), rules);
  return found.filter(({ severity }) => severity !== "note");
}

/** What there is to be linted. */
export async function openSubject(curation: Curation, api: Api, toolset: Toolset): Promise<LintSubject> {
  const subject = costless(curation, api, toolset);
  // Commas and brackets between them are one each at most.
  const most = subject.listed.map((tool) => mostTokens(JSON.stringify(tool)) + 1);
  const isCheap = most.every((tokens) => tokens <= CHEAP.tool) && most.reduce((sum, one) => sum + one, 1) <= CHEAP.list;
  return isCheap ? subject : { ...subject, cost: await measureList(subject.listed) };
}

function costless(curation: Curation, api: Api, toolset: Toolset): LintSubject {
  const exposed = exposeToolset(toolset);
  const listed = exposed.tools.map((tool) => listedTool(tool, exposed.server.structured));
  return { curation, api, toolset, listed, tools: toolsByKey(curation, toolset) };
}

/** In the order of the rules. */
export function lintToolset(subject: LintSubject, rules: readonly LintRule[] = LINT_RULES): readonly ToolProblem[] {
  return rules.flatMap(({ code, check }) =>
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
