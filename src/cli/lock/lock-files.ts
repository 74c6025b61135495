import { join, parse } from "node:path";
import { manifestText } from "../../surface/manifest.ts";
import type { Manifest } from "../../surface/manifest-format.ts";
import { writeToolsPage } from "../../surface/tools-page.ts";

/** What is committed beside a curation: the manifest, and the page that a person reads. */
export interface LockFiles {
  readonly manifest: LockFile;
  readonly page: LockFile;
}

export interface LockFile {
  /** As the user typed the curation's folder. */
  readonly path: string;
  readonly text: string;
}

export function makeLock(curation: string, manifest: Manifest): LockFiles {
  const { dir, name } = parse(curation);
  return {
    manifest: { path: join(dir, `${name}.lock.json`), text: manifestText(manifest) },
    page: { path: join(dir, `${name}.tools.md`), text: writeToolsPage(manifest) },
  };
}
