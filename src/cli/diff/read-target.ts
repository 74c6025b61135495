import { existsSync } from "node:fs";
import { visibleText } from "../../surface/formats/visible-text.ts";
import { UsageError } from "../command.ts";

/** One side of a comparison as the user names it; `label` is for messages. */
export type Target =
  | { readonly kind: "file"; readonly label: string; readonly file: string }
  | { readonly kind: "git"; readonly label: string; readonly file: string; readonly revision: string };

/** A file, or `git:REV:path` with the path as seen from the working directory. Throws `UsageError`. */
export function readTarget(name: string): Target {
  const label = visibleText(name);
  if (!name.startsWith("git:")) return { kind: "file", label, file: name };
  const [, revision, file] = /^git:([^:]+):(.+)$/s.exec(name) ?? [];
  if (revision === undefined || file === undefined)
    throw new UsageError(`${label}: expected git:REV:path, for example git:main:ledger.yaml.`);
  return { kind: "git", label, file, revision };
}

/** What is compared where only one side is named: the curation of a lock file, or the same path now. Throws `UsageError`. */
export function otherSideOf(base: Target): Target {
  if (base.kind === "git") return readTarget(base.file);
  const curation = isLock(base.file) ? curationsBeside(base.file).find((file) => existsSync(file)) : undefined;
  if (curation !== undefined) return readTarget(curation);
  const why = isLock(base.file)
    ? "there is no curation beside the lock file"
    : "a curation is compared with another, its lock file or git:REV:path";
  throw new UsageError(`HEAD is missing: ${why}. Expected: BASE [HEAD]`);
}

export function isLock(file: string): boolean {
  return file.endsWith(".lock.json");
}

/** Where the curation of a lock file may be. */
export function curationsBeside(lock: string): string[] {
  const stem = lock.slice(0, -".lock.json".length);
  return [".yaml", ".yml", ".json"].map((ending) => `${stem}${ending}`);
}
