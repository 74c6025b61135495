import { lstatSync, readdirSync, readFileSync, renameSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { isForeign, makeFolder } from "./cache-folder.ts";
import { digest } from "./digest-file.ts";

const SUM_LENGTH = digest("").length;

/**
 * What was written as `name`, each byte of it as it was; undefined where it is torn or somebody else could have written it. Throws where it is not
 * there.
 */
export function readKept(folder: string, name: string): Buffer | undefined {
  const path = join(folder, name);
  const stat = lstatSync(path);
  if (!stat.isFile() || isForeign(stat) || isForeign(statSync(folder))) return undefined;
  return readSummed(path);
}

/** The same of whoever wrote it. */
export function readSummed(path: string): Buffer | undefined {
  const bytes = readFileSync(path);
  const body = bytes.subarray(SUM_LENGTH);
  return digest(body) === bytes.toString("latin1", 0, SUM_LENGTH) ? body : undefined;
}

/** Writes it for the owner alone, or nothing where the folder is not to be trusted. Of its kind, told by the suffix, the `most` youngest stay. */
export function writeKept(folder: string, name: string, body: string | Uint8Array, most: number): void {
  if (!makeFolder(folder)) return;
  const draft = join(folder, `${name}.${process.pid}.tmp`);
  // A reader sees the old file or the whole new one; a killed writer leaves only a draft, which pruning takes away.
  writeFileSync(draft, Buffer.concat([Buffer.from(digest(body)), Buffer.from(body)]), { mode: 0o600, flag: "wx" });
  renameSync(draft, join(folder, name));
  prune(folder, extname(name), most);
}

/** What `work` gives of what is kept; undefined, for it is done without, whatever goes wrong. */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Takes away the drafts of writers that are no more (the name ends in their process's number) as well. */
function prune(folder: string, suffix: string, most: number): void {
  const names = readdirSync(folder);
  const drafts = names.filter((name) => !isAlive(Number(/\.(\d+)\.tmp$/.exec(name)?.[1] ?? process.pid)));
  const kept = names.filter((name) => name.endsWith(suffix)).map((name) => join(folder, name));
  const young = kept.map((path) => ({ path, age: statSync(path).mtimeMs })).toSorted((a, b) => b.age - a.age);
  for (const path of [...drafts.map((name) => join(folder, name)), ...young.slice(most).map(({ path }) => path)])
    unlinkSync(path);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process may not be asked, but it is there.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
