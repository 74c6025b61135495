import type { Stats } from "node:fs";
import { open, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** How many files are kept beside the current one: FILE.1, the newest, to FILE.5. */
const KEPT = 5;
/** A rotation takes a moment; one that has taken so long was broken off. */
const STALE_MS = 10_000;

export type Rotation =
  /** Another file stands under the name, or none yet. */
  | { readonly isAside: true }
  /** It grows on: another process is about it, or `error` is in the way. */
  | { readonly isAside: false; readonly error?: unknown };

const ASIDE: Rotation = { isAside: true };

/**
 * Puts a file that has grown to its bound aside as FILE.1, and older ones one further. Of several processes one does it. Never rejects.
 * A link stays: what it leads to is put aside.
 */
export async function rotateFiles(name: string, grown: Pick<Stats, "ino" | "dev">): Promise<Rotation> {
  const path = await realpath(name).catch(() => name);
  // A dot, so that no pattern takes it for one of the files.
  const lock = join(dirname(path), `.${basename(path)}.rotating`);
  try {
    if (!(await takeLock(lock))) return { isAside: false };
  } catch (error) {
    return { isAside: false, error };
  }
  try {
    const named = await stat(path).catch(() => undefined);
    if (named === undefined || named.ino !== grown.ino || named.dev !== grown.dev) return ASIDE;
    for (let at = KEPT - 1; at >= 1; at -= 1) await renameIfThere(`${path}.${at}`, `${path}.${at + 1}`);
    await rename(path, `${path}.1`);
    return ASIDE;
  } catch (error) {
    return { isAside: false, error };
  } finally {
    await rm(lock, { force: true }).catch(() => {});
  }
}

/** False: another process has it. Rejects where none can be had. */
async function takeLock(lock: string): Promise<boolean> {
  try {
    await (await open(lock, "wx")).close();
    return true;
  } catch (error) {
    if (!isCode(error, "EEXIST")) throw error;
    const held = await stat(lock).catch(() => undefined);
    // The next line finds it free. One of the future was made before the clock was set back.
    if (held !== undefined && Math.abs(Date.now() - held.mtimeMs) > STALE_MS) await rm(lock, { force: true });
    return false;
  }
}

async function renameIfThere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (!isCode(error, "ENOENT")) throw error;
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
