import { compileToolset } from "../../compile/compile-toolset.ts";
import type { Curation } from "../../curation/format.ts";
import type { Api } from "../../model/api.ts";
import { isUrl } from "../../model/is-url.ts";
import type { Toolset } from "../../model/tool.ts";
import { checkLint } from "../../surface/lint/check-lint.ts";
import { applyWaivers, type ToolProblem } from "../../surface/lint/waivers.ts";
import { NOWHERE } from "../nowhere.ts";
import { compileCuration } from "../toolset/compile-curation.ts";
import type { ToolsetRequest } from "../toolset/toolset-request.ts";
import { type EntryPath, leaveOut } from "./leave-out.ts";

/** What came of compiling a curation against one spec. */
export interface Attempt {
  readonly curation?: Curation;
  readonly api?: Api;
  readonly toolset?: Toolset;
  /** Of compiling and of lint, but for those that the curation waives. */
  readonly problems: readonly ToolProblem[];
}

export interface Attempting {
  /** In place of the curation's own. */
  readonly spec?: string;
  /** Lint also for this client. */
  readonly profile?: string;
}

/** Compiles a curation, against another spec where one is given, and lints what comes of it. Throws `UnreadableInput`. */
export async function attempt(request: ToolsetRequest, { spec, profile }: Attempting): Promise<Attempt> {
  let seen: Attempt = { problems: [] };
  const compiled = await compileCuration(request, {
    ...(spec !== undefined && { spec }),
    adapt: (read) => addressFor(spec, read),
    look: async (api, curation, toolset) => {
      seen = await look(curation, api, toolset, profile);
    },
  });
  const { toolset: _, ...rest } = seen;
  // A broken overlay costs the whole toolset.
  const { toolset } = compiled;
  return withoutWaived({
    ...rest,
    ...(toolset !== undefined && { toolset }),
    problems: [...compiled.problems, ...seen.problems],
  });
}

/** The same once more without these parts of the curation. */
export async function attemptWithout(
  { curation, api }: Attempt,
  without: readonly EntryPath[],
  { profile }: Attempting,
): Promise<Attempt> {
  if (curation === undefined || api === undefined) return { problems: [] };
  const less = leaveOut(curation, without);
  const { toolset, problems } = compileToolset(less, api);
  const seen = await look(less, api, toolset, profile);
  return withoutWaived({ ...seen, problems: [...problems, ...seen.problems] });
}

async function look(curation: Curation, api: Api, toolset: Toolset | undefined, profile?: string): Promise<Attempt> {
  if (toolset === undefined) return { curation, api, problems: [] };
  const problems = await checkLint(curation, api, toolset, profile);
  return { curation, api, toolset, problems };
}

function withoutWaived(tried: Attempt): Attempt {
  const { curation, problems } = tried;
  if (curation === undefined) return tried;
  return { ...tried, problems: applyWaivers(problems, curation, false).filter(({ code }) => code !== "waived") };
}

/** A spec that is tried says nothing of where requests go. */
function addressFor(spec: string | undefined, curation: Curation): Curation {
  const { api } = curation.content;
  if (spec === undefined || !isUrl(spec) || isUrl(api.spec) || api.baseUrl !== undefined) return curation;
  return { ...curation, content: { ...curation.content, api: { ...api, baseUrl: NOWHERE } } };
}
