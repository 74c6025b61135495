import { realpathSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

/** A file that a curation names: where it stands as seen from the working directory, and whether it lies under the root. */
export interface NamedFile {
  readonly path: string;
  readonly inside: boolean;
}

/** The folder that bounds the files of a curation: as given, else the parent of the curation's folder (contract section 1). */
export function rootOf(curationFile: string, given: string | undefined): string {
  return given ?? join(dirname(curationFile), "..");
}

/** `name` is read from the curation's folder. Symbolic links are followed before anything is compared. */
export function boundPath(name: string, curationFile: string, root: string): NamedFile {
  const path = isAbsolute(name) ? name : join(dirname(curationFile), name);
  const inner = relative(realPath(root), realPath(path));
  return { path, inside: inner !== ".." && !inner.startsWith(`..${sep}`) && !isAbsolute(inner) };
}

// A file that does not exist yet stands where its nearest existing folder really is.
function realPath(path: string): string {
  const full = resolve(path);
  try {
    return realpathSync(full);
  } catch {
    const parent = dirname(full);
    return parent === full ? full : join(realPath(parent), relative(parent, full));
  }
}
