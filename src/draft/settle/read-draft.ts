import { type CompileOptions, compileToolset } from "../../compile/compile-toolset.ts";
import type { Curation } from "../../curation/format.ts";
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

/** Reads a curation as data. One that is none is a defect of ours, and thrown. */
export type ReadMade = (content: JsonObject) => Curation;

/** Reads drafts without writing them as YAML; of one after the other only the tools that have changed. */
function openReader(read: ReadMade, { locate, pathOf }: Numbered): (content: JsonObject) => ReadDraft {
  const known = new Map<string, Tools[string]>();
  return (content) => {
    const tools = Object.entries(content["tools"] as JsonObject).map(
      ([name, entry]) => ({ name, entry, key: JSON.stringify([name, entry]) }) as const,
    );
    const unread = tools.filter(({ key }) => !known.has(key));
    const some = { ...content, tools: Object.fromEntries(unread.map(({ name, entry }) => [name, entry])) };
    const curation = read(some);
    for (const { name, key } of unread) known.set(key, curation.content.tools[name]!);
    const all: Tools = Object.fromEntries(tools.map(({ name, key }) => [name, known.get(key)!]));
    return { curation: { ...curation, content: { ...curation.content, tools: all }, locate }, pathOf };
  };
}

type Tools = Curation["content"]["tools"];

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
export function openCompiler(api: Api, readMade: ReadMade): (content: JsonObject) => Compiled | Refused {
  const readDraft = openReader(readMade, openNumbers());
  const tried: NonNullable<CompileOptions["tried"]> = new Map();
  return (content) => {
    const read = readDraft(content);
    const { toolset, problems } = compileToolset(read.curation, api, { tried, servedOnly: true });
    const errors = problems
      .filter(({ severity }) => severity === "error")
      .map((problem) => ({ problem, path: read.pathOf(problem) }));
    if (toolset === undefined || errors.length > 0) return { errors };
    return { read, toolset, warnings: problems.filter(({ severity }) => severity === "warning") };
  };
}
