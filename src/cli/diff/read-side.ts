import { existsSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import { UnreadableInput } from "../../model/errors.ts";
import { isJsonObject, type Json } from "../../model/json.ts";
import { once } from "../../model/once.ts";
import type { Problem } from "../../model/problem.ts";
import type { Manifest } from "../../surface/manifest-format.ts";
import { readManifest } from "../../surface/read-manifest.ts";
import type { Shell } from "../command.ts";
import { readFile } from "../toolset/read-file.ts";
import { type Checkout, openCheckout } from "./check-out.ts";
import { type CompiledSide, type CompileFailed, compileSide, filesNamedBy } from "./compile-side.ts";
import { openGitTree } from "./git-tree.ts";
import { curationsBeside, isLock, type Target } from "./read-target.ts";

/** One side of a comparison. */
export interface Side {
  readonly target: Target;
  readonly manifest: Manifest;
  /** Of a manifest: its text. */
  readonly text?: string;
  /** The curation itself; of a lock file the one beside it, where there is one. */
  compiled(): Promise<CompiledSide | undefined>;
  /** What left tools of the curation out. */
  readonly problems: readonly Problem[];
  /** It would not be served. */
  readonly isBroken: boolean;
  /** Lets go of the files of a revision. */
  close(): void;
}

export interface SideOptions {
  /** The folder that bounds the files that a curation names. */
  readonly root: string | undefined;
  readonly env: Shell["env"];
}

/** Reads a manifest, or a curation, which is compiled. Throws `UnreadableInput`. */
export async function readSide(target: Target, options: SideOptions): Promise<Side | CompileFailed> {
  const source = openSource(target, options);
  try {
    const side = await readFrom(source, target, options);
    if ("failed" in side) source.close();
    return side;
  } catch (error) {
    source.close();
    if (error instanceof UnreadableInput) throw new UnreadableInput(source.rename(error.message), { cause: error });
    throw error;
  }
}

/** Where the files of a side are read. */
interface Source {
  /** Where a file is that the user names from the working directory. */
  place(file: string): string;
  /** Undefined where there is none. */
  read(file: string): string | undefined;
  bring(files: readonly string[]): boolean;
  /** A text of ours as the user knows the files. */
  rename(text: string): string;
  close(): void;
}

function openSource(target: Target, { env }: SideOptions): Source {
  if (target.kind === "file") {
    const read = (file: string) => (existsSync(file) || file === target.file ? readFile(file).text : undefined);
    return { place: (file) => file, read, bring: () => false, rename: (text) => text, close: () => {} };
  }
  const tree = openGitTree(target.revision, target.file, env);
  const checkout: Checkout = openCheckout(tree, target.revision);
  const place = (file: string) => checkout.place(tree.pathOf(file));
  return {
    place,
    read: (file) => (checkout.bring([place(file)]) ? readFile(place(file)).text : undefined),
    bring: checkout.bring,
    rename: checkout.rename,
    close: checkout.remove,
  };
}

async function readFrom(source: Source, target: Target, options: SideOptions): Promise<Side | CompileFailed> {
  const text = source.read(target.file);
  if (text === undefined) throw new UnreadableInput(`${target.label}: there is no such file at that revision.`);
  const { close } = source;
  if (isLock(target.file) || isManifest(text)) {
    const manifest = parseManifest(target.label, text);
    const beside = once(() => compileBeside(source, target.file, options));
    return { target, manifest, text, problems: [], isBroken: false, compiled: beside, close };
  }
  const compiled = await compileFile(source, target.file, text, options);
  const toldOf = (problems: readonly Problem[]) => problems.map((one) => renamed(one, source));
  if ("failed" in compiled) return { failed: toldOf(compiled.failed) };
  const { manifest, problems, isBroken } = compiled;
  return { target, manifest, problems: toldOf(problems), isBroken, compiled: async () => compiled, close };
}

function isManifest(text: string): boolean {
  try {
    const value = JSON.parse(text) as Json;
    return isJsonObject(value) && Object.hasOwn(value, "manifest") && !Object.hasOwn(value, "vitrine");
  } catch {
    return false;
  }
}

function parseManifest(label: string, text: string): Manifest {
  try {
    return readManifest(text);
  } catch (error) {
    if (!(error instanceof UnreadableInput)) throw error;
    throw new UnreadableInput(`${label}: ${error.message}`, { cause: error });
  }
}

function compileFile(source: Source, file: string, text: string, { root }: SideOptions) {
  const path = source.place(file);
  source.bring(filesNamedBy(path, text).map((one) => resolve(one)));
  // A folder that bounds the files is one of the revision's as well.
  const bound = root === undefined ? undefined : source.place(root);
  return compileSide({ file: path, root: bound, readOnly: false }, source.bring);
}

/** What a lock file was made of, as far as that can still be told. */
async function compileBeside(source: Source, lock: string, options: SideOptions): Promise<CompiledSide | undefined> {
  if (!isLock(lock)) return undefined;
  try {
    for (const file of curationsBeside(lock)) {
      const text = source.read(file);
      if (text === undefined) continue;
      const compiled = await compileFile(source, file, text, options);
      return "failed" in compiled || compiled.isBroken ? undefined : compiled;
    }
  } catch (error) {
    // The lock file says enough without it.
    if (!(error instanceof UnreadableInput)) throw error;
  }
  return undefined;
}

function renamed(problem: Problem, { rename }: Source): Problem {
  const { file, message, hint } = problem;
  return {
    ...problem,
    file: rename(file),
    message: rename(message),
    ...(hint !== undefined && { hint: rename(hint) }),
  };
}

/** A file as the user would name it: from the working directory where it lies below that. */
export function nameFile(file: string): string {
  const path = relative(".", resolve(file));
  return path === "" || path === ".." || path.startsWith(`..${sep}`) ? file : path;
}
