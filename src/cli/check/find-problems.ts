import type { Curation } from "../../curation/format.ts";
import type { Api } from "../../model/api.ts";
import type { Toolset } from "../../model/tool.ts";
import { checkSpec } from "../../spec/check-spec.ts";
import { checkLint } from "../../surface/lint/check-lint.ts";
import { applyWaivers, type ToolProblem } from "../../surface/lint/waivers.ts";
import { compileCuration } from "../toolset/compile-curation.ts";
import type { ToolsetRequest } from "../toolset/toolset-request.ts";
import { checkExamples } from "./check-examples.ts";

export interface CheckOptions {
  /** Also what this client refuses or takes at a loss. */
  readonly profile?: string;
  /** What else is to be seen of what is looked at. */
  readonly also?: (looked: Looked) => Promise<void>;
}

/** What a check looks at once the curation is compiled. Without a toolset there are errors, which are told already. */
export interface Looked {
  readonly request: ToolsetRequest;
  readonly options: CheckOptions;
  readonly curation: Curation;
  readonly api: Api;
  readonly toolset?: Toolset;
}

type Look = (looked: Looked) => Promise<readonly ToolProblem[]>;

/** One line a part of the check, beyond compiling. */
const LOOKS: readonly Look[] = [
  ({ api }) => checkSpec(api),
  async ({ curation, api, toolset, options }) =>
    toolset === undefined ? [] : checkLint(curation, api, toolset, options.profile),
  checkExamples,
];

export interface Checked {
  /** In no order, each with its tool where it is about one. */
  readonly problems: readonly ToolProblem[];
  /** The curation's tools, by their keys; of one that cannot be read none. */
  readonly tools: readonly string[];
}

/** Compiles a curation and looks at everything that can be wrong with it. Throws `UnreadableInput`. */
export async function findProblems(request: ToolsetRequest, options: CheckOptions): Promise<Checked> {
  const found: ToolProblem[] = [];
  let curation: Curation | undefined;
  const compiled = await compileCuration(request, {
    look: async (api, read, toolset) => {
      curation = read;
      const looked = { request, options, api, curation: read, ...(toolset !== undefined && { toolset }) };
      for (const look of LOOKS) found.push(...(await look(looked)));
      await options.also?.(looked);
    },
  });
  const problems = [...compiled.problems, ...found];
  if (curation === undefined) return { problems, tools: [] };
  const isWhole = compiled.toolset !== undefined && compiled.problems.every(({ severity }) => severity !== "error");
  return { problems: applyWaivers(problems, curation, isWhole), tools: Object.keys(curation.content.tools) };
}
