import { resolve } from "node:path";
import { type CompileOptions, type CompileResult, compileToolset } from "../../compile/compile-toolset.ts";
import { expandArazzo } from "../../curation/expand-arazzo.ts";
import type { Curation } from "../../curation/format.ts";
import { loadCuration } from "../../curation/load-curation.ts";
import type { Egress } from "../../egress/open-egress.ts";
import type { Api, SpecFile } from "../../model/api.ts";
import { UnreadableInput } from "../../model/errors.ts";
import { isUrl } from "../../model/is-url.ts";
import { once } from "../../model/once.ts";
import type { Toolset } from "../../model/tool.ts";
import { loadApi } from "../../spec/load-api.ts";
import { openLazyEgress } from "./lazy-egress.ts";
import { type PlacedSources, placeSources } from "./place-sources.ts";
import { readFile } from "./read-file.ts";
import { readWorkflows } from "./read-workflows.ts";
import { curationOfSpec, nameOfTitle } from "./spec-request.ts";
import type { LoadedToolset, ToolsetRequest } from "./toolset-request.ts";

/** What compiling gave, and the API that it was compiled against where that could be read. */
export interface CompiledCuration extends LoadedToolset {
  readonly api?: Api;
}

export interface Compiling {
  /** What else has to be seen of the API, which is only whole until the compiling ends: of a downloaded spec no more documents can be fetched then. */
  look?(api: Api, curation: Curation, toolset: Toolset | undefined): Promise<void>;
  /** Of what compiling finds only the errors are told. */
  readonly errorsOnly?: boolean;
  /** In place of the spec that the curation names: a file, as the user typed it, or a URL. */
  readonly spec?: string;
  /** Changes the curation before it is compiled. */
  readonly adapt?: (curation: Curation) => Curation;
}

/** Reads a curation and the spec that it names, and compiles them. Throws `UnreadableInput`. */
export async function compileCuration(
  request: ToolsetRequest,
  { look, errorsOnly = false, spec, adapt = (read) => read }: Compiling = {},
): Promise<CompiledCuration> {
  const { file, readOnly, tags, keyTags, expose, explored, servedOnly = false } = request;
  const { text, sha256 } = explored === undefined ? readFile(file) : curationOfSpec(explored);
  const main = { path: resolve(file), sha256 };
  const loaded = loadCuration(file, text);
  if (loaded.curation === undefined)
    return { problems: loaded.problems, files: () => [main], sources: NONE, specIsLocal: true };
  const workflows = readWorkflows(loaded.curation, request);
  const own = explored === undefined ? [main, ...workflows.files] : [];
  const files = () => own;
  const { curation: read, problems: unfit } = expandArazzo(loaded.curation, workflows.read);
  const curation = adapt(read);
  const problems = [...loaded.problems, ...workflows.problems, ...unfit];

  const placed = placeSources(curation, request, spec);
  if (placed.sources === undefined)
    return { problems: [...problems, ...placed.problems], files, sources: NONE, specIsLocal: true };
  const named = [placed.sources.spec, ...placed.sources.overlays];
  for (const path of named) if (!isUrl(path)) request.reading?.(resolve(path));

  // A spec's address is no destination of the API's: it must be public and https whatever the curation trusts.
  const egress = openLazyEgress({ trustedHosts: [], allowPrivate: [], allowHttp: false });
  try {
    const { api, compiled } = await compileWith(curation, placed.sources, egress, {
      readOnly,
      errorsOnly,
      servedOnly,
      ...(tags && { tags }),
      ...(keyTags && { keyTags }),
      ...(expose && { expose }),
    });
    await look?.(api, curation, compiled.toolset);
    const isBroken = api.problems.some(({ severity }) => severity === "error");
    const toolset = explored === undefined ? compiled.toolset : nameByTitle(compiled.toolset, api.title);
    return {
      ...(toolset !== undefined && !isBroken && { toolset }),
      problems: [...problems, ...api.problems, ...compiled.problems],
      files: once(() => [...own, ...localFiles(api)]),
      sources: once(() => api.files),
      specIsLocal: !named.some(isUrl),
      api,
    };
  } catch (error) {
    // Beside the curation's own mistakes a spec that cannot be read is one more, and they are all told.
    if (!(error instanceof UnreadableInput) || problems.length === 0) throw error;
    const at = curation.locate(["api", "spec"], "value");
    const hint = "Mend `api.spec`, or what it names.";
    const unread = { code: "unreadable_spec", severity: "error" as const, ...at, message: error.message, hint };
    return { problems: [...problems, unread], files, sources: NONE, specIsLocal: !named.some(isUrl) };
  } finally {
    await egress.close();
  }
}

const NONE = () => [];

/** Without a curation the API's own title is all that names the server. */
function nameByTitle(toolset: Toolset | undefined, title: string): Toolset | undefined {
  const named = { name: nameOfTitle(title), ...(title.trim() !== "" && { title: title.trim().slice(0, 100) }) };
  return toolset && { ...toolset, server: { ...toolset.server, ...named } };
}

function localFiles(api: Api): SpecFile[] {
  return api.files.filter(({ path }) => !isUrl(path)).map((one) => ({ ...one, path: resolve(one.path) }));
}

/** Of a spec from a URL each round may show documents that it needs as well; `fetchPending` holds the bounds. */
async function compileWith(
  curation: Curation,
  { spec, overlays }: PlacedSources,
  egress: Egress,
  options: CompileOptions,
): Promise<{ api: Api; compiled: CompileResult }> {
  const api = await loadApi(spec, { egress, overlays });
  let compiled = compileToolset(curation, api, options);
  while (await api.fetchPending()) compiled = compileToolset(curation, api, options);
  return { api, compiled };
}
