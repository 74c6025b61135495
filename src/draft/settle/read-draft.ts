import { compileToolset } from "../../compile/compile-toolset.ts";
import type { Curation } from "../../curation/format.ts";
import { loadCuration, readMade } from "../../curation/load-curation.ts";
import type { Api } from "../../model/api.ts";
import type { JsonObject } from "../../model/json.ts";
import type { Problem } from "../../model/problem.ts";
import type { Toolset } from "../../model/tool.ts";

type Path = readonly (string | number)[];

/** A draft as the compiler reads it, whose findings stand at numbered paths in place of lines. */
interface ReadDraft {
  readonly curation: Curation;
  /** Where in the draft a finding stands. */
  pathOf(problem: Pick<Problem, "line">): Path;
}

/** Reads a draft without writing it as YAML. A draft that is no curation is a defect of ours, and thrown. */
function readDraft(content: JsonObject): ReadDraft {
  const curation = readMade("draft", content);
  if (curation === undefined) {
    const [problem] = loadCuration("draft", JSON.stringify(content)).problems;
    throw new Error(`The draft is no curation: ${problem?.code}: ${problem?.message}`);
  }
  const paths: Path[] = [];
  const lines = new Map<string, number>();
  const locate: Curation["locate"] = (path) => {
    const key = JSON.stringify(path);
    const line = lines.get(key) ?? paths.push(path);
    lines.set(key, line);
    return { file: "draft", line, column: 1 };
  };
  return { curation: { ...curation, locate }, pathOf: ({ line }) => paths[line - 1] ?? [] };
}

export interface Compiled {
  readonly read: ReadDraft;
  readonly toolset: Toolset;
  readonly warnings: readonly Problem[];
}

/** What keeps a curation from compiling, each error with its path. */
export interface Refused {
  readonly errors: readonly { readonly problem: Problem; readonly path: Path }[];
}

export function compileDraft(content: JsonObject, api: Api): Compiled | Refused {
  const read = readDraft(content);
  const { toolset, problems } = compileToolset(read.curation, api);
  const errors = problems
    .filter(({ severity }) => severity === "error")
    .map((problem) => ({ problem, path: read.pathOf(problem) }));
  if (toolset === undefined || errors.length > 0) return { errors };
  return { read, toolset, warnings: problems.filter(({ severity }) => severity === "warning") };
}
