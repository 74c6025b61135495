import type { Curation } from "../../curation/format.ts";
import type { Api } from "../../model/api.ts";
import type { ListedTool } from "../../model/listed-tool.ts";
import type { Severity } from "../../model/problem.ts";
import type { Tool, Toolset } from "../../model/tool.ts";
import type { ListCost } from "../measure-cost.ts";

/** Everything that a rule may look at: what was written, what it was written about, and what came of it. */
export interface LintSubject {
  readonly curation: Curation;
  readonly api: Api;
  readonly toolset: Toolset;
  /** As callers see it: tools that are shown in groups stand here as their group. */
  readonly listed: readonly ListedTool[];
  /** Of `listed`, in its order. Absent where the list is so short that nothing could be said of its cost: a table of tokens is dear to load. */
  readonly cost?: ListCost;
  /** The tools of the curation that were compiled, by their key in `tools` of the file. The server's own tools (access, explore) are not among them. */
  readonly tools: ReadonlyMap<string, Tool>;
}

export interface LintFinding {
  readonly severity: Severity;
  /** In the curation's content; the nearest thing that stands there is shown. */
  readonly at: readonly (string | number)[];
  /** The tool's key in the curation. Absent: about the whole list. */
  readonly tool?: string;
  readonly message: string;
  /** What to do. */
  readonly hint: string;
  /** The piece of the text at `at` that is meant. */
  readonly part?: string;
}

/** One thing that is known to mislead agents or to break clients. Pure; a rule never throws and never reports the same twice. */
export interface LintRule {
  /** Stable snake_case, never given to another rule. */
  readonly code: string;
  /** The worst that it reports. */
  readonly severity: Severity;
  /** A few words, for lists of rules. */
  readonly title: string;
  /** Why it matters, a sentence or two, with the evidence. */
  readonly why: string;
  check(subject: LintSubject): Iterable<LintFinding>;
}
