import { mkdirSync, statSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";

export type Env = Readonly<Record<string, string | undefined>>;

/** `$XDG_CACHE_HOME/vitrine`, or the like under `HOME`; undefined without either. XDG Base Directory 0.8: a relative path is to be ignored. */
export function cacheFolder(env: Env): string | undefined {
  const home = env.HOME;
  const base = [env.XDG_CACHE_HOME, home === undefined ? undefined : join(home, ".cache")].find(
    (path) => path !== undefined && isAbsolute(path),
  );
  return base === undefined ? undefined : join(base, "vitrine");
}

/** Makes the folder, for its owner alone, where it is not there; whether it is one to be trusted. Throws where it cannot be made. */
export function makeFolder(folder: string): boolean {
  // Not `recursive`: that never ends where the system denies a folder whose parent it has, as /proc and automounters do.
  for (const path of [dirname(folder), folder]) makeOne(path);
  const stat = statSync(folder);
  return stat.isDirectory() && !isForeign(stat);
}

function makeOne(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}

/** What others may write could send our credentials elsewhere. */
export function isForeign(stat: { readonly uid: number; readonly mode: number }): boolean {
  return process.getuid !== undefined && (stat.uid !== process.getuid() || (stat.mode & 0o022) !== 0);
}
