import { type CompileOptions, compileToolset } from "../../compile/compile-toolset.ts";
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

/** Paths as lines: each path has one, whichever draft it is found in. */
interface Numbered {
  readonly locate: Curation["locate"];
  readonly pathOf: ReadDraft["pathOf"];
}

function openNumbers(): Numbered {
  const paths: Path[] = [];
  const lines = new Map<string, number>();
  return {
    locate(path) {
      const key = JSON.stringify(path);
      const line = lines.get(key) ?? paths.push(path);
      lines.set(key, line);
      return { file: "draft", line, column: 1 };
    },
    pathOf: ({ line }) => paths[line - 1] ?? [],
  };
}

/** Reads a draft without writing it as YAML. A draft that is no curation is a defect of ours, and thrown. */
function readDraft(content: JsonObject, { locate, pathOf }: Numbered): ReadDraft {
  const curation = readMade("draft", content);
  if (curation === undefined) {
    const [problem] = loadCuration("draft", JSON.stringify(content)).problems;
    throw new Error(`The draft is no curation: ${problem?.code}: ${problem?.message}`);
  }
  return { curation: { ...curation, locate }, pathOf };
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

/** Compiles one draft after the other; from the second on only the tools that have changed. */
export function openCompiler(api: Api): (content: JsonObject) => Compiled | Refused {
  const numbered = openNumbers();
  const tried: NonNullable<CompileOptions["tried"]> = new Map();
  return (content) => {
    const read = readDraft(content, numbered);
    const { toolset, problems } = compileToolset(read.curation, api, { tried });
    const errors = problems
      .filter(({ severity }) => severity === "error")
      .map((problem) => ({ problem, path: read.pathOf(problem) }));
    if (toolset === undefined || errors.length > 0) return { errors };
    return { read, toolset, warnings: problems.filter(({ severity }) => severity === "warning") };
  };
}
