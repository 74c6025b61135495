import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { digest, digestFile } from "./digest-file.ts";
import type { LoadedToolset, ToolsetRequest } from "./toolset-request.ts";
import { build, version } from "./version.ts";

/** How many toolsets are kept. */
const KEEP = 50;

export interface ToolsetCache {
  find(request: ToolsetRequest): LoadedToolset | undefined;
  store(request: ToolsetRequest, loaded: LoadedToolset): void;
}

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Compiled toolsets on disk, in `$XDG_CACHE_HOME/vitrine`. An entry is found by the bytes of its curation, the options and this very build, and
 * counts only while every other file that it was made from has the same bytes. It holds no secret (a Toolset has none). Whatever goes wrong
 * here means compiling instead. Undefined where the source runs unbuilt or no folder is safe to use.
 */
export function openToolsetCache(env: Env, program: string | undefined = build): ToolsetCache | undefined {
  const folder = program === undefined ? undefined : cacheFolder(env);
  if (program === undefined || folder === undefined) return undefined;
  return {
    find: (request) => attempt(() => readEntry(join(folder, entryName(request, program, digestFile(request.file))))),
    store: (request, loaded) => {
      if (loaded.toolset === undefined || !loaded.specIsLocal) return;
      // By the bytes that were compiled, which the file need not hold any more.
      attempt(() => writeEntry(folder, entryName(request, program, loaded.files[0]?.sha256), loaded));
    },
  };
}

// XDG Base Directory 0.8: a relative path is to be ignored.
function cacheFolder(env: Env): string | undefined {
  const home = env.HOME;
  const base = [env.XDG_CACHE_HOME, home === undefined ? undefined : join(home, ".cache")].find(
    (path) => path !== undefined && isAbsolute(path),
  );
  return base === undefined ? undefined : join(base, "vitrine");
}

function entryName({ file, root, readOnly }: ToolsetRequest, program: string, sha256: string | undefined): string {
  const parts = [
    version,
    program,
    file,
    resolve(file),
    root === undefined ? null : resolve(root),
    readOnly,
    sha256 ?? null,
  ];
  return `${digest(JSON.stringify(parts))}.json`;
}

function readEntry(path: string): LoadedToolset | undefined {
  const stat = lstatSync(path);
  if (!stat.isFile() || isForeign(stat)) return undefined;
  const entry = JSON.parse(readFileSync(path, "utf8")) as LoadedToolset;
  if (entry.toolset?.version !== 1) return undefined;
  return entry.files.every((file) => digestFile(file.path) === file.sha256) ? entry : undefined;
}

function writeEntry(folder: string, name: string, loaded: LoadedToolset): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (isForeign(statSync(folder))) return;
  const draft = join(folder, `${name}.${process.pid}.tmp`);
  // A reader sees the old entry or the whole new one; a killed writer leaves only a draft, which pruning takes away.
  writeFileSync(draft, JSON.stringify(loaded), { mode: 0o600, flag: "wx" });
  renameSync(draft, join(folder, name));
  prune(folder);
}

// What others may write could send our credentials elsewhere.
function isForeign(stat: { uid: number; mode: number }): boolean {
  return process.getuid !== undefined && (stat.uid !== process.getuid() || (stat.mode & 0o022) !== 0);
}

function prune(folder: string): void {
  const entries = readdirSync(folder).map((name) => ({
    path: join(folder, name),
    age: statSync(join(folder, name)).mtimeMs,
  }));
  for (const { path } of entries.toSorted((a, b) => b.age - a.age).slice(KEEP)) unlinkSync(path);
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
