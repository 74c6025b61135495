import { resolve } from "node:path";
import { build, version } from "../version.ts";
import { cacheFolder, type Env } from "./cache-folder.ts";
import { digest, digestFile, isUnchanged } from "./digest-file.ts";
import { attempt, readKept, writeKept } from "./kept-file.ts";
import { fromPlain, type PlainToolset, toPlain } from "./plain-toolset.ts";
import type { LoadedToolset, ToolsetRequest } from "./toolset-request.ts";

/** How many toolsets are kept. */
const KEEP = 50;

export interface ToolsetCache {
  find(request: ToolsetRequest): LoadedToolset | undefined;
  store(request: ToolsetRequest, loaded: LoadedToolset): void;
}

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
      const entry = toPlain(loaded);
      // By the bytes that were compiled, which the file need not hold any more.
      const name = entryName(request, program, entry.files[0]?.sha256);
      attempt(() => writeKept(folder, name, JSON.stringify(entry), KEEP));
    },
  };
}

function entryName(
  { file, root, readOnly, tags = {}, keyTags = {}, expose, servedOnly = false }: ToolsetRequest,
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
    servedOnly,
    sha256 ?? null,
  ];
  return `${digest(JSON.stringify([...made, ...asked]))}.toolset`;
}

function readEntry(folder: string, name: string): LoadedToolset | undefined {
  const json = readKept(folder, name);
  if (json === undefined) return undefined;
  const entry = JSON.parse(json.toString()) as PlainToolset;
  return entry.files.every(isUnchanged) ? fromPlain(entry) : undefined;
}
