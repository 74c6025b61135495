import type { Curation } from "../../curation/format.ts";
import type { Api } from "../../model/api.ts";
import { UnreadableInput } from "../../model/errors.ts";
import type { Json } from "../../model/json.ts";
import { nearestNames } from "../../model/nearest.ts";
import type { Problem } from "../../model/problem.ts";
import { boundPath, rootOf } from "../toolset/bound-path.ts";
import { readFile, readFileBytes } from "../toolset/read-file.ts";
import type { AnswerQueue } from "./open-stage.ts";
import { parseAnswer } from "./parse-answer.ts";

/** One entry of `examples`, as the curation has it. */
export type ExampleEntry = NonNullable<Curation["content"]["tools"][string]["examples"]>[number];

type EntryPath = readonly (string | number)[];

export interface ExampleFiles {
  readonly queues: readonly AnswerQueue[];
  readonly reply: Json;
}

/** What an example is read beside: `file` and `root` are those of the request for the toolset. */
export interface ExampleGround {
  readonly curation: Curation;
  readonly api: Api;
  readonly file: string;
  readonly root: string | undefined;
}

/** Reads what an example names. A file outside of the root, or one that cannot be read, is a problem at its place. */
export function readExample(
  { upstream, reply }: ExampleEntry,
  at: EntryPath,
  { curation, api, file, root: given }: ExampleGround,
): { readonly files?: ExampleFiles; readonly problems: readonly Problem[] } {
  const root = rootOf(file, given);
  const problems: Problem[] = [];
  const report = (place: EntryPath, code: string, message: string, hint: string) => {
    problems.push({ ...curation.locate([...at, ...place], "value"), code, severity: "error", message, hint });
  };
  const read = <T>(name: string, place: EntryPath, open: (path: string) => T): T | undefined => {
    const { path, inside } = boundPath(name, file, root);
    if (!inside) {
      const hint = "Move it, or name a folder that holds all with --root.";
      report(place, "outside_root", `The example's file ${path} lies outside of ${root}.`, hint);
      return undefined;
    }
    try {
      return open(path);
    } catch (error) {
      if (!(error instanceof UnreadableInput)) throw error;
      report(place, "unreadable_example", error.message, "Mend the file, or name another.");
      return undefined;
    }
  };
  const queues = queuesOf(upstream).map(({ operation, files }): AnswerQueue => {
    const key = operation === undefined ? undefined : api.find(operation)?.key;
    if (operation !== undefined && key === undefined) {
      const names = api.index.flatMap((entry) => [entry.id ?? [], entry.key].flat());
      const nearest = nearestNames(operation, names);
      const hint = nearest.length > 0 ? `Did you mean ${nearest.join(" or ")}?` : "Name one as the tool does.";
      report(["upstream", operation], "unknown_operation", `The spec has no operation \`${operation}\`.`, hint);
    }
    const answers = files.flatMap(({ name, place }) => {
      const answer = read(name, place, (path) => parseAnswer(readFileBytes(path).bytes, path));
      return answer === undefined ? [] : [{ name, place, answer }];
    });
    return { ...(key !== undefined && { operation: key }), answers };
  });
  const wanted = read(reply, ["reply"], readJson);
  if (problems.length > 0 || wanted === undefined) return { problems };
  return { files: { queues, reply: wanted }, problems };
}

interface NamedFile {
  readonly name: string;
  readonly place: EntryPath;
}

function queuesOf(upstream: ExampleEntry["upstream"]): readonly { operation?: string; files: readonly NamedFile[] }[] {
  const filesOf = (names: string | readonly string[], place: EntryPath): readonly NamedFile[] =>
    typeof names === "string" ? [{ name: names, place }] : names.map((name, at) => ({ name, place: [...place, at] }));
  if (typeof upstream === "string" || Array.isArray(upstream)) return [{ files: filesOf(upstream, ["upstream"]) }];
  return Object.entries(upstream).map(([operation, names]) => ({
    operation,
    files: filesOf(names, ["upstream", operation]),
  }));
}

function readJson(path: string): Json {
  try {
    return JSON.parse(readFile(path).text) as Json;
  } catch (error) {
    if (error instanceof UnreadableInput) throw error;
    throw new UnreadableInput(`${path}: it is not JSON: ${error instanceof Error ? error.message : error}`);
  }
}
