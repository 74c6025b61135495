import { isJsonObject, type Json } from "../model/json.ts";
import { checkShape } from "./check-shape.ts";
import type { Finding, Path } from "./finding.ts";

export interface Reading {
  /** The file with each misspelt key under the name that was meant. */
  readonly value: Json;
  readonly shape: ReturnType<typeof checkShape>;
  /** That the keys are misspelt. */
  readonly findings: readonly Finding[];
  /** The path, as the file itself has it, of what is at this path of `value`. */
  trace(path: Path): Path;
}

/** A misspelt key may hold further ones. */
const MOST_ROUNDS = 4;

/** Reads each misspelt key as the one that was meant, so that what it holds is checked in the same go and is missing nowhere. */
export function readAsMeant(file: Json): Reading {
  const renamed = new Map<string, string>();
  const findings: Finding[] = [];
  const trace = (path: Path) =>
    renamed.size === 0 ? path : path.map((step, at) => renamed.get(keyOf(path.slice(0, at + 1))) ?? step);
  let value = file;
  let shape = checkShape(value);
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const renames = shape.findings.flatMap((finding) => renameOf(finding, value));
    const fitting = renames.filter(({ to }, at) => renames.findIndex((one) => keyOf(one.to) === keyOf(to)) === at);
    const next = fits(fitting, value);
    if (next.length === 0) break;
    findings.push(...next.map(({ finding }) => ({ ...finding, path: trace(finding.path) })));
    for (const { from, to } of next) {
      value = rename(value, from, String(to.at(-1)));
      renamed.set(keyOf(to), String(from.at(-1)));
    }
    shape = checkShape(value);
  }
  return { value, shape, findings, trace };
}

interface Rename {
  readonly finding: Finding;
  readonly from: Path;
  readonly to: Path;
}

function renameOf(finding: Finding, value: Json): Rename[] {
  const { path, meant } = finding;
  if (meant === undefined) return [];
  const owner = valueAt(value, path.slice(0, -1));
  const isFree = isJsonObject(owner) && !Object.hasOwn(owner, meant);
  return isFree ? [{ finding, from: path, to: [...path.slice(0, -1), meant] }] : [];
}

/** What the key holds shows whether it was meant: where it is nothing that the other key takes, it was not. */
function fits(renames: readonly Rename[], value: Json): Rename[] {
  if (renames.length === 0) return [];
  const tried = renames.reduce((file, { from, to }) => rename(file, from, String(to.at(-1))), value);
  const wrong = new Set(checkShape(tried).findings.map(({ path }) => keyOf(path)));
  return renames.filter(({ to }) => !wrong.has(keyOf(to)));
}

function rename(value: Json, path: Path, name: string): Json {
  const [step, ...rest] = path;
  if (Array.isArray(value)) return value.map((item: Json, index) => (index === step ? rename(item, rest, name) : item));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]): [string, Json] => {
      if (key !== step) return [key, entry];
      return rest.length === 0 ? [name, entry] : [key, rename(entry, rest, name)];
    }),
  );
}

function valueAt(value: Json, path: Path): Json | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  const inner = (value as Readonly<Record<string | number, Json>> | null)?.[step];
  return inner === undefined ? undefined : valueAt(inner, rest);
}

function keyOf(path: Path): string {
  return JSON.stringify(path);
}
