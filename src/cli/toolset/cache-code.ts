import * as nodeModule from "node:module";
import { join } from "node:path";
import { cacheFolder, type Env, makeFolder } from "./cache-folder.ts";

/** From Node 22.1; the types are those of the oldest Node that we run on. */
const { enableCompileCache } = nodeModule as { enableCompileCache?: (folder: string) => unknown };

/** Lets Node keep what it compiles of the program from now on, for the next start. Nothing where it cannot, or no folder is safe to use. */
export function cacheCode(env: Env, enable = enableCompileCache): void {
  const folder = enable === undefined ? undefined : cacheFolder(env);
  if (folder === undefined) return;
  try {
    if (makeFolder(folder)) enable?.(join(folder, "code"));
  } catch {
    // A start that takes a little longer is all that comes of it.
  }
}
