import type { Stats } from "node:fs";
import { open, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** How many files are kept beside the current one: FILE.1, the newest, to FILE.5. */
const KEPT = 5;
/** A rotation takes a moment; one that has taken so long was broken off. */
const STALE_MS = 10_000;

/**
 * Puts a file that has grown to its bound aside as FILE.1, and older ones one further. Of several processes one does it; for the others too true says
 * that another file stands under the name, or none yet. False: not now, so it grows on. Never rejects.
 * A link stays: what it leads to is put aside.
 */
export async function rotateFiles(name: string, grown: Pick<Stats, "ino" | "dev">): Promise<boolean> {
  const path = await realpath(name).catch(() => name);
  // A dot, so that no pattern takes it for one of the files.
  const lock = join(dirname(path), `.${basename(path)}.rotating`);
  if (!(await takeLock(lock))) return false;
  try {
    const named = await stat(path).catch(() => undefined);
    if (named === undefined || named.ino !== grown.ino || named.dev !== grown.dev) return true;
    for (let at = KEPT - 1; at >= 1; at -= 1) await renameIfThere(`${path}.${at}`, `${path}.${at + 1}`);
    await rename(path, `${path}.1`);
    return true;
  } catch {
    return false;
  } finally {
    await rm(lock, { force: true }).catch(() => {});
  }
}

async function takeLock(lock: string): Promise<boolean> {
  try {
    await (await open(lock, "wx")).close();
    return true;
  } catch {
    const held = await stat(lock).catch(() => undefined);
    // The next line finds it free. One of the future was made before the clock was set back.
    if (held !== undefined && Math.abs(Date.now() - held.mtimeMs) > STALE_MS)
      await rm(lock, { force: true }).catch(() => {});
    return false;
  }
}

async function renameIfThere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  }
}
