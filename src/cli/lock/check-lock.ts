import { readFileSync } from "node:fs";
import { UnreadableInput } from "../../model/errors.ts";
import { compareManifests } from "../../surface/diff/compare-manifests.ts";
import { visibleText } from "../../surface/formats/visible-text.ts";
import type { Manifest } from "../../surface/manifest-format.ts";
import { readManifest } from "../../surface/read-manifest.ts";
import { diffLines } from "./diff-lines.ts";
import type { LockFile, LockFiles } from "./lock-files.ts";

const MOST_LINES = 200;

/** Why a lock is not that of the tools as they are now, in lines for a person; empty where it is. Throws `UnreadableInput` where a file cannot be read. */
export function checkLock({ manifest, page }: LockFiles, now: Manifest): readonly string[] {
  const [locked, shown] = [readLocked(manifest), readLocked(page)];
  const stale = [
    ...(locked === manifest.text ? [] : explainManifest(manifest.path, locked, now)),
    ...(shown === page.text ? [] : explainPage(page, shown)),
  ];
  return stale.map((line) => visibleText(line, Number.POSITIVE_INFINITY));
}

/** Undefined where there is none. Git may have given its lines other ends. */
function readLocked({ path }: LockFile): string | undefined {
  try {
    return readFileSync(path, "utf8").replaceAll("\r\n", "\n");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    if (code === "ENOENT") return undefined;
    throw new UnreadableInput(`${path}: it cannot be read (${code}).`, { cause: error });
  }
}

function explainManifest(path: string, locked: string | undefined, now: Manifest): readonly string[] {
  if (locked === undefined) return [`${path} is missing.`];
  try {
    const before = readManifest(locked);
    return [`${path} is stale${reasonOf(before, now)}.`, ...compareManifests(before, now).map(changeLine)];
  } catch (error) {
    if (error instanceof UnreadableInput) return [`${path} is stale: ${error.message}`];
    throw error;
  }
}

function reasonOf({ made }: Manifest, now: Manifest): string {
  if (made.vitrine !== now.made.vitrine) return `: vitrine ${made.vitrine} made it, and this is ${now.made.vitrine}`;
  const known = new Map(made.from.map(({ path, sha256 }) => [path, sha256]));
  const changed = now.made.from.filter(({ path, sha256 }) => known.get(path) !== sha256).map(({ path }) => path);
  return changed.length === 0 ? "" : `: ${changed.join(", ")} changed`;
}

function changeLine(change: ReturnType<typeof compareManifests>[number]): string {
  return `  ${change.class} ${change.rule} ${change.tool ?? "the server"}: ${change.message}`;
}

function explainPage({ path, text }: LockFile, shown: string | undefined): readonly string[] {
  if (shown === undefined) return [`${path} is missing.`];
  const lines = diffLines(shown, text);
  const more = lines.length > MOST_LINES ? [`… (${lines.length - MOST_LINES} more lines)`] : [];
  return [`${path} is stale:`, ...lines.slice(0, MOST_LINES).map((line) => `  ${line}`.trimEnd()), ...more];
}
