import type { OperationEntry } from "../../model/api.ts";
import { UsageError } from "../command.ts";

export interface Narrowing {
  readonly tags?: string | undefined;
  readonly paths?: string | undefined;
  readonly operations?: string | undefined;
}

/** Which operations are looked at: those that fit every option that is given, each of which names several, with commas between. */
export function keepOperations({
  tags,
  paths,
  operations,
}: Narrowing): ((entry: OperationEntry) => boolean) | undefined {
  const tests = [
    tags === undefined ? undefined : byTag(listOf("tags", tags)),
    paths === undefined ? undefined : byPath(listOf("paths", paths)),
    operations === undefined ? undefined : byName(listOf("operations", operations)),
  ].filter((test) => test !== undefined);
  return tests.length === 0 ? undefined : (entry) => tests.every((test) => test(entry));
}

function listOf(option: string, text: string): readonly string[] {
  const names = text.split(",").map((name) => name.trim());
  if (names.includes("")) throw new UsageError(`--${option} takes names with commas between.`);
  return names;
}

function byTag(names: readonly string[]) {
  const wanted = new Set(names.map((name) => name.toLowerCase()));
  return ({ tags }: OperationEntry): boolean => tags.some((tag) => wanted.has(tag.toLowerCase()));
}

/** `*` stands for anything; a path without one for itself and what is below it. */
function byPath(globs: readonly string[]) {
  const patterns = globs.map((glob) => {
    const pattern = glob.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*");
    return new RegExp(`^${pattern}${glob.includes("*") ? "" : "(/.*)?"}$`);
  });
  return ({ path }: OperationEntry): boolean => patterns.some((pattern) => pattern.test(path));
}

function byName(names: readonly string[]) {
  const wanted = new Set(names);
  return ({ id, key }: OperationEntry): boolean => wanted.has(key) || (id !== undefined && wanted.has(id));
}
