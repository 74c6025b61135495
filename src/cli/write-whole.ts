import { randomUUID } from "node:crypto";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { UnreadableInput } from "../model/errors.ts";

/**
 * Writes files so that a reader sees the old text or the whole new one, and none is written where one of them cannot be. Throws `UnreadableInput`,
 * which names the file.
 */
export function writeWhole(files: readonly { readonly path: string; readonly text: string }[]): void {
  const drafts: { path: string; draft: string }[] = [];
  try {
    for (const { path, text } of files) {
      const draft = join(dirname(path), `.${basename(path)}.${randomUUID()}.tmp`);
      drafts.push({ path, draft });
      attempt(path, () => writeFileSync(draft, text, { flag: "wx" }));
    }
    for (const { path, draft } of drafts) attempt(path, () => renameSync(draft, path));
  } finally {
    for (const { draft } of drafts) rmSync(draft, { force: true });
  }
}

function attempt(path: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new UnreadableInput(`${path}: cannot be written (${code}).`, { cause: error });
  }
}
