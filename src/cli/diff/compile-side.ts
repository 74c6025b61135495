import { dirname, isAbsolute, join, resolve } from "node:path";
import { arazzoFiles } from "../../curation/expand-arazzo.ts";
import type { Curation } from "../../curation/format.ts";
import { loadCuration } from "../../curation/load-curation.ts";
import { UnreadableInput } from "../../model/errors.ts";
import { isUrl } from "../../model/is-url.ts";
import type { Problem } from "../../model/problem.ts";
import type { Toolset } from "../../model/tool.ts";
import { makeManifest } from "../../surface/manifest.ts";
import type { Manifest } from "../../surface/manifest-format.ts";
import { findBroken } from "../drift/find-broken.ts";
import { type EntryPath, leaveOut } from "../drift/leave-out.ts";
import { compileCuration } from "../toolset/compile-curation.ts";
import { madeFrom } from "../toolset/made-from.ts";
import type { LoadedToolset, ToolsetRequest } from "../toolset/toolset-request.ts";

/** A curation that was compiled here, so that it can be compiled against the other side's spec as well. */
export interface CompiledSide {
  readonly request: ToolsetRequest;
  readonly curation: Curation;
  readonly toolset: Toolset;
  readonly manifest: Manifest;
  /** Of the spec and what it refers to. */
  readonly specBytes: string;
  /** Of the curation, its overlays and its workflow files. */
  readonly curationBytes: string;
  /** The spec's file or URL. */
  readonly spec: string;
  readonly bring: Bring;
  /** What was left out for. */
  readonly problems: readonly Problem[];
  /** It has errors of its own, and would not be served. */
  readonly isBroken: boolean;
}

/** Fetches files that were looked for and not found; whether any came. */
export type Bring = (files: readonly string[]) => boolean;

export interface CompileFailed {
  readonly failed: readonly Problem[];
}

/**
 * Compiles a curation with what it names, also the files that have to be brought first; without the parts that have errors, where something is then
 * left. Throws `UnreadableInput`.
 */
export async function compileSide(request: ToolsetRequest, bring: Bring): Promise<CompiledSide | CompileFailed> {
  const { whole, fitting } = await compileFitting(request, bring);
  const { problems, toolset: sound } = whole.loaded;
  const { loaded } = fitting ?? whole;
  const { toolset } = loaded;
  // Whole, as what is left out is still told at its line.
  const { curation } = whole;
  if (toolset === undefined || curation === undefined) return { failed: problems };
  const manifest = await makeManifest(toolset, madeFrom(request, loaded));
  const isBroken = sound === undefined;
  return { request, curation, toolset, manifest, bring, problems, isBroken, ...digestSide(request, curation, loaded) };
}

/**
 * The manifest of one side's curation, overlays included, against the other side's spec, without what does not fit that; undefined where nothing
 * does.
 */
export async function crossCompile(side: CompiledSide, other: CompiledSide): Promise<Manifest | undefined> {
  const bring: Bring = (files) => [side.bring(files), other.bring(files)].includes(true);
  try {
    const { fitting } = await compileFitting(side.request, bring, other.spec);
    const { loaded } = fitting ?? {};
    return loaded?.toolset && (await makeManifest(loaded.toolset, madeFrom(side.request, loaded)));
  } catch (error) {
    if (error instanceof UnreadableInput) return undefined;
    throw error;
  }
}

interface Compiled {
  readonly loaded: LoadedToolset;
  readonly curation: Curation | undefined;
}

/** What is left out may be missed by what is left. */
const MOST_ROUNDS = 6;

/** What compiling the whole gives, and what is left once the parts with errors are left out; nothing where that is nothing. */
async function compileFitting(
  request: ToolsetRequest,
  bring: Bring,
  spec?: string,
): Promise<{ readonly whole: Compiled; readonly fitting?: Compiled }> {
  const whole = await compileWhole(request, bring, { spec, without: [] });
  let last = whole;
  const without: EntryPath[] = [];
  for (let round = 0; last.loaded.toolset === undefined && round < MOST_ROUNDS; round += 1) {
    const broken = last.curation === undefined ? [] : findBroken(last.loaded.problems, last.curation);
    if (broken.length === 0) return { whole };
    without.push(...broken);
    last = await compileWhole(request, bring, { spec, without: [...without] });
  }
  return last.loaded.toolset === undefined ? { whole } : { whole, fitting: last };
}

interface Crossing {
  readonly spec: string | undefined;
  readonly without: readonly EntryPath[];
}

/** Anew until nothing more comes, as which further files a spec needs shows only when it is read. */
async function compileWhole(request: ToolsetRequest, bring: Bring, { spec, without }: Crossing): Promise<Compiled> {
  for (;;) {
    let curation: Curation | undefined;
    const loaded = await compileCuration(request, {
      errorsOnly: true,
      ...(spec !== undefined && { spec }),
      adapt: (read) => (without.length === 0 ? read : leaveOut(read, without)),
      look: async (_, read) => {
        curation = read;
      },
    });
    const missing = loaded.sources().filter(({ path, sha256 }) => sha256 === undefined && !isUrl(path));
    if (!bring(missing.map(({ path }) => resolve(path)))) return { loaded, curation };
  }
}

/** The files that a curation's text names; a text that is none names none. */
export function filesNamedBy(file: string, text: string): string[] {
  const { curation } = loadCuration(file, text);
  if (curation === undefined) return [];
  const { spec, overlays = [] } = curation.content.api;
  const names = [spec, ...overlays, ...arazzoFiles(curation).map((one) => one.file)];
  return names.filter((name) => !isUrl(name) && !isAbsolute(name)).map((name) => join(dirname(file), name));
}

function digestSide({ file }: ToolsetRequest, curation: Curation, { files, sources }: LoadedToolset) {
  const { spec, overlays = [] } = curation.content.api;
  const placeOf = (name: string) => (isUrl(name) ? name : resolve(dirname(file), name));
  const ofOverlays = new Set(overlays.map(placeOf));
  const all = sources().map(({ path, sha256 = "" }) => ({ path: isUrl(path) ? path : resolve(path), sha256 }));
  const ofApi = new Set(all.map(({ path }) => path));
  const workflows = files().filter(({ path }) => path !== resolve(file) && !ofApi.has(path));
  const listed = (digests: readonly string[]) => [...new Set(digests)].toSorted().join(" ");
  return {
    spec: placeOf(spec),
    specBytes: listed(all.filter(({ path }) => !ofOverlays.has(path)).map(({ sha256 }) => sha256)),
    curationBytes: listed([
      curation.sha256,
      ...all.filter(({ path }) => ofOverlays.has(path)).map(({ sha256 }) => sha256),
      ...workflows.map(({ sha256 = "" }) => sha256),
    ]),
  };
}
