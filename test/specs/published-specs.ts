import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

/** One document that people use, as `SOURCES.md` beside the documents lists it. */
export interface PublishedSpec {
  readonly name: string;
  /** Absolute path of its root file. */
  readonly file: string;
  /** How many operations it has by the list. */
  readonly operations: number;
}

/** The folder of the published documents: what the caller says, else `VITRINE_SPECS`, else the one beside the repository. */
export function specsFolder(said?: string): string {
  return resolve(said ?? process.env["VITRINE_SPECS"] ?? resolve(import.meta.dirname, "../../../shared/specs"));
}

/** Every document of the folder; none where the folder is absent, which is said aloud. */
export function listSpecs(folder: string): PublishedSpec[] {
  const list = resolve(folder, "SOURCES.md");
  if (!existsSync(list)) {
    process.stderr.write(`\n*** SKIPPED: the published specs are not at ${folder}.\n\n`);
    return [];
  }
  const rows = readFileSync(list, "utf8").matchAll(
    /^\| ([\w.-]+) \| (\S+\/\S+\.(?:json|yaml)) \|(?:[^|]*\|){6} (\d+) \|/gm,
  );
  return [...rows].map(([, name = "", file = "", operations]) => ({
    name,
    file: resolve(folder, file),
    operations: Number(operations),
  }));
}
