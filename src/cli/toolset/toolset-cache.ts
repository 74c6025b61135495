import { lstatSync, readdirSync, readFileSync, renameSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { SpecFile } from "../../model/api.ts";
import { build, version } from "../version.ts";
import { cacheFolder, type Env, isForeign, makeFolder } from "./cache-folder.ts";
import { digest, digestFile, isUnchanged } from "./digest-file.ts";
import type { LoadedToolset, ToolsetRequest } from "./toolset-request.ts";

/** How many toolsets are kept. */
const KEEP = 50;

export interface ToolsetCache {
  find(request: ToolsetRequest): LoadedToolset | undefined;
  store(request: ToolsetRequest, loaded: LoadedToolset): void;
}

/** As it is written. */
type Entry = Omit<LoadedToolset, Lists> & Readonly<Record<Lists, readonly SpecFile[]>>;
type Lists = "files" | "sources";

/**
 * Compiled toolsets on disk, in `$XDG_CACHE_HOME/vitrine`. An entry is found by the bytes of its curation, the options and this very build, and
 * counts only while every other file that it was made from has the same bytes: size and time would be faster to ask for (20 ms for a spec of
 * 20 MB), but a file that is written twice within a tick of its clock, or copied with its time, keeps both. An entry holds no secret (a Toolset
 * has none). Whatever goes wrong here means compiling instead. Undefined where the source runs unbuilt or there is no folder.
 */
export function openToolsetCache(env: Env, program: string | undefined = build): ToolsetCache | undefined {
  const folder = program === undefined ? undefined : cacheFolder(env);
  if (program === undefined || folder === undefined) return undefined;
  return {
    find: (request) => attempt(() => readEntry(folder, entryName(request, program, digestFile(request.file)))),
    store: (request, loaded) => {
      if (loaded.toolset === undefined || !loaded.specIsLocal) return;
      const entry = { ...loaded, files: loaded.files(), sources: loaded.sources() };
      // By the bytes that were compiled, which the file need not hold any more.
      attempt(() => writeEntry(folder, entryName(request, program, entry.files[0]?.sha256), entry));
    },
  };
}

function entryName(
  { file, root, readOnly, tags = {}, keyTags = {}, expose }: ToolsetRequest,
  program: string,
  sha256: string | undefined,
): string {
  const made = [version, program, process.version];
  const asked = [
    file,
    resolve(file),
    root === undefined ? null : resolve(root),
    readOnly,
    tags,
    keyTags,
    expose ?? null,
    sha256 ?? null,
  ];
  return `${digest(JSON.stringify([...made, ...asked]))}.toolset`;
}

function readEntry(folder: string, name: string): LoadedToolset | undefined {
  const path = join(folder, name);
  const stat = lstatSync(path);
  if (!stat.isFile() || isForeign(stat) || isForeign(statSync(folder))) return undefined;
  const [sum = "", json = ""] = readFileSync(path, "utf8").split("\n", 2);
  if (digest(json) !== sum) return undefined;
  const { files, sources, ...entry } = JSON.parse(json) as Entry;
  return files.every(isUnchanged) ? { ...entry, files: () => files, sources: () => sources } : undefined;
}

function writeEntry(folder: string, name: string, entry: Entry): void {
  if (!makeFolder(folder)) return;
  const json = JSON.stringify(entry);
  const draft = join(folder, `${name}.${process.pid}.tmp`);
  // A reader sees the old entry or the whole new one; a killed writer leaves only a draft, which pruning takes away.
  writeFileSync(draft, `${digest(json)}\n${json}`, { mode: 0o600, flag: "wx" });
  renameSync(draft, join(folder, name));
  prune(folder);
}

/** Keeps the youngest toolsets, and takes away the drafts of writers that are no more (the name ends in their process's number). */
function prune(folder: string): void {
  const names = readdirSync(folder);
  const drafts = names.filter((name) => !isAlive(Number(/\.(\d+)\.tmp$/.exec(name)?.[1] ?? process.pid)));
  const toolsets = names.filter((name) => name.endsWith(".toolset")).map((name) => join(folder, name));
  const young = toolsets.map((path) => ({ path, age: statSync(path).mtimeMs })).toSorted((a, b) => b.age - a.age);
  for (const path of [...drafts.map((name) => join(folder, name)), ...young.slice(KEEP).map(({ path }) => path)])
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

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
