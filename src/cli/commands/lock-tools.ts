import { readFileSync } from "node:fs";
import { visibleText } from "../../surface/formats/visible-text.ts";
import { makeManifest } from "../../surface/manifest.ts";
import type { Manifest } from "../../surface/manifest-format.ts";
import type { Shell } from "../command.ts";
import { checkLock } from "../lock/check-lock.ts";
import { type LockFile, type LockFiles, makeLock } from "../lock/lock-files.ts";
import { canServe } from "../toolset/can-serve.ts";
import { loadToolset } from "../toolset/load-toolset.ts";
import { madeFrom } from "../toolset/made-from.ts";
import type { LoadedToolset, ToolsetRequest } from "../toolset/toolset-request.ts";
import { writeWhole } from "../write-whole.ts";

/** Writes the lock of a curation, or with `checkOnly` says whether it is the one of today. Resolves to the exit code; throws `UnreadableInput`. */
export async function lockTools(request: ToolsetRequest, checkOnly: boolean, shell: Shell): Promise<number> {
  const loaded = await loadToolset(request, shell.env);
  if (!(await canServe(loaded, shell)) || loaded.toolset === undefined) return 1;
  if (hasErrors(loaded)) {
    shell.note("vitrine: a lock is made of a whole curation; mend the errors above first.");
    return 1;
  }
  const manifest = await makeManifest(loaded.toolset, madeFrom(request, loaded));
  const lock = makeLock(request.file, manifest);
  return checkOnly ? check(lock, manifest, request.file, shell) : write(lock, shell);
}

/** What the spec breaks is left out of the toolset, and is not to be left out of what others rely on. */
function hasErrors({ problems }: LoadedToolset): boolean {
  return problems.some(({ severity }) => severity === "error");
}

function write({ manifest, page }: LockFiles, shell: Shell): number {
  const files = [manifest, page];
  const stale = files.filter((file) => !isWritten(file));
  writeWhole(stale);
  shell.print(files.map((file) => `${file.path} ${stale.includes(file) ? "is written" : "stays as it is"}`).join("\n"));
  return 0;
}

function isWritten({ path, text }: LockFile): boolean {
  try {
    return readFileSync(path, "utf8") === text;
  } catch {
    return false;
  }
}

function check(lock: LockFiles, manifest: Manifest, file: string, shell: Shell): number {
  const stale = checkLock(lock, manifest);
  if (stale.length === 0) {
    shell.print(`${lock.manifest.path} and ${lock.page.path} are those of the tools as they are.`);
    return 0;
  }
  shell.print(stale.join("\n"));
  shell.note(`vitrine: make the lock anew with \`vitrine tools ${visibleText(file)} --lock\`, and commit it.`);
  return 1;
}
