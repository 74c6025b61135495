import { type Dirent, existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

export interface FoundFiles {
  /** Each file once, by whatever names it was given; those that are not there stay as they were written. */
  readonly files: readonly string[];
  /** Patterns that no file fits. */
  readonly unmatched: readonly string[];
}

/**
 * The files that the arguments name. `*`, `?` and, alone between slashes, `**` make a pattern, unless a file is called so; none of them fits a name that
 * begins with a dot, nor what is no file: a pipe that nobody writes to would be waited for.
 */
export function findFiles(names: readonly string[]): FoundFiles {
  const [files, unmatched, seen] = [[] as string[], [] as string[], new Set<string>()];
  for (const name of names) {
    const found = existsSync(name) || !/[*?]/.test(name) ? [name] : matchFiles(name);
    if (found.length === 0) unmatched.push(name);
    for (const file of found) {
      const identity = identityOf(file);
      if (!seen.has(identity)) files.push(file);
      seen.add(identity);
    }
  }
  return { files, unmatched };
}

/** What a file is by, whatever links lead to it; its name where it is not there, or where the file system numbers none. */
function identityOf(file: string): string {
  try {
    const { dev, ino } = statSync(file, { bigint: true });
    return ino === 0n ? file : `${dev}:${ino}`;
  } catch {
    return file;
  }
}

function matchFiles(pattern: string): string[] {
  const parts = pattern.split("/").filter(Boolean);
  // One after the other they say no more than one, and would find each file many times.
  const told = parts.filter((part, at) => part !== "**" || parts[at - 1] !== "**");
  return matchIn(pattern.startsWith("/") ? "/" : "", told).toSorted();
}

function matchIn(folder: string, [part, ...rest]: readonly string[]): string[] {
  if (part === undefined) return [];
  if (!/[*?]/.test(part)) {
    const path = join(folder, part);
    if (rest.length > 0) return matchIn(path, rest);
    return existsSync(path) ? [path] : [];
  }
  const entries = listFolder(folder).filter(({ name }) => !name.startsWith("."));
  if (part === "**") {
    const deeper = entries.filter((entry) => entry.isDirectory());
    const here = matchIn(folder, rest.length === 0 ? ["*"] : rest);
    return [...here, ...deeper.flatMap(({ name }) => matchIn(join(folder, name), ["**", ...rest]))];
  }
  const fitting = entries.filter(({ name }) => patternOf(part).test(name));
  if (rest.length > 0) return fitting.flatMap(({ name }) => matchIn(join(folder, name), rest));
  return fitting.filter((entry) => isFile(folder, entry)).map(({ name }) => join(folder, name));
}

/** A link that leads nowhere counts as one, so that it is said. */
function isFile(folder: string, entry: Dirent): boolean {
  if (!entry.isSymbolicLink()) return entry.isFile();
  try {
    return statSync(join(folder, entry.name)).isFile();
  } catch {
    return true;
  }
}

function listFolder(folder: string) {
  try {
    return readdirSync(folder === "" ? "." : folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function patternOf(part: string): RegExp {
  const escaped = part.replace(/[.+^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${escaped.replace(/\*+/g, ".*").replaceAll("?", ".")}$`, "su");
}
