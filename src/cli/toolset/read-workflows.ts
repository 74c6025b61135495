import { resolve } from "node:path";
import { arazzoFiles, type ReadArazzo } from "../../curation/expand-arazzo.ts";
import type { Curation } from "../../curation/format.ts";
import type { SpecFile } from "../../model/api.ts";
import { UnreadableInput } from "../../model/errors.ts";
import type { Problem } from "../../model/problem.ts";
import { boundPath, rootOf } from "./bound-path.ts";
import { readFile } from "./read-file.ts";
import type { ToolsetRequest } from "./toolset-request.ts";

/** The Arazzo files that the tools of a curation name; one that lies outside of the root or cannot be read is a finding at its place. */
export function readWorkflows(
  curation: Curation,
  { file, root: given, reading }: ToolsetRequest,
): { readonly read: ReadArazzo; readonly files: readonly SpecFile[]; readonly problems: readonly Problem[] } {
  const root = rootOf(file, given);
  const texts = new Map<string, { path: string; text: string }>();
  const files = new Map<string, SpecFile>();
  const problems: Problem[] = [];
  for (const { tool, file: name } of arazzoFiles(curation)) {
    if (name === "" || texts.has(name)) continue;
    const report = (code: string, message: string, hint: string) => {
      const at = curation.locate(["tools", tool, "steps", "arazzo"], "value");
      problems.push({ ...at, code, severity: "error", message, hint });
    };
    const { path, inside } = boundPath(name, file, root);
    if (!inside) {
      const hint = "Move it, or name a folder that holds all with --root.";
      report("outside_root", `The workflow file ${path} lies outside of ${root}.`, hint);
      continue;
    }
    reading?.(resolve(path));
    try {
      const { text, sha256 } = readFile(path);
      texts.set(name, { path, text });
      files.set(path, { path: resolve(path), sha256 });
    } catch (error) {
      if (!(error instanceof UnreadableInput)) throw error;
      files.set(path, { path: resolve(path) });
      report("unreadable_arazzo", error.message, "Mend the file, or name another.");
    }
  }
  return { read: (name) => texts.get(name), files: [...files.values()], problems };
}
