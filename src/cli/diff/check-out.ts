import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import { UnreadableInput } from "../../model/errors.ts";
import type { GitTree } from "./git-tree.ts";

/** Files of a revision in a folder of their own, each put there when it is asked for. */
export interface Checkout {
  /** Where the file of that path is, or would be; of a path from the root of the repository. */
  place(path: string): string;
  /** Puts those of these files there that the revision has and that are not there yet; whether there were any. */
  bring(files: readonly string[]): boolean;
  /** A text of ours with the folder's own name taken out of it. */
  rename(text: string): string;
  remove(): void;
}

export function openCheckout(tree: GitTree, label: string): Checkout {
  const folder = inTemporary(() => realpathSync(mkdtempSync(join(tmpdir(), "vitrine-git-"))));
  // The repository's own parent must not be the folder of everyone's temporary files.
  const root = join(folder, "tree");
  mkdirSync(root);
  const asked = new Set<string>();
  const bringOne = (file: string): boolean => {
    const path = relative(root, file).split(sep).join("/");
    if (path === "" || path === ".." || path.startsWith("../") || asked.has(path)) return false;
    asked.add(path);
    const bytes = tree.read(path);
    if (bytes === undefined) return false;
    inTemporary(() => {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, bytes);
    });
    return true;
  };
  return {
    place: (path) => join(root, ...path.split("/")),
    bring: (files) => files.map(bringOne).some((has) => has),
    rename: (text) => text.replaceAll(`${root}${sep}`, `git:${label}:`).replaceAll(root, `git:${label}:`),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Not there, not ours to write in, or full. */
function inTemporary<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? "unknown";
    throw new UnreadableInput(
      `${tmpdir()}: files of a revision cannot be put there (${why}). TMPDIR names another folder.`,
    );
  }
}
