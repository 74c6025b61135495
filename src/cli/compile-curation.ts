import { resolve } from "node:path";
import { compileToolset } from "../compile/compile-toolset.ts";
import { loadCuration } from "../curation/load-curation.ts";
import { openEgress } from "../egress/open-egress.ts";
import type { Api } from "../model/api.ts";
import { loadApi } from "../spec/load-api.ts";
import { boundPath, rootOf } from "./bound-path.ts";
import { readFile } from "./read-file.ts";
import type { LoadedToolset, ToolsetRequest } from "./toolset-request.ts";

/** What compiling gave, and the API that it was compiled against where that could be read. */
export interface CompiledCuration extends LoadedToolset {
  readonly api?: Api;
}

/** Reads a curation and the spec that it names, and compiles them. Throws `UnreadableInput`. */
export async function compileCuration(request: ToolsetRequest): Promise<CompiledCuration> {
  const { file } = request;
  const { text, sha256 } = readFile(file);
  const files = [{ path: resolve(file), sha256 }];
  const { curation, problems } = loadCuration(file, text);
  if (curation === undefined) return { problems, files, specIsLocal: true };

  const spec = placeSpec(curation.content.api.spec, request);
  if (spec.kind === "outside") {
    const at = curation.locate(["api", "spec"]);
    const message = `The spec ${spec.path} lies outside of ${spec.root}.`;
    const hint = "Move it, or name a folder that holds both with --root.";
    return {
      problems: [...problems, { code: "outside_root", severity: "error", ...at, message, hint }],
      files,
      specIsLocal: true,
    };
  }
  const specIsLocal = spec.kind === "file";
  if (specIsLocal) request.reading?.(resolve(spec.path));
  const api = await readApi(spec);
  const { toolset, problems: compiled } = compileToolset(curation, api, { readOnly: request.readOnly });
  return {
    ...(toolset !== undefined && { toolset }),
    problems: [...problems, ...compiled],
    files: [...files, ...(specIsLocal ? api.files.map(({ path, sha256 }) => ({ path: resolve(path), sha256 })) : [])],
    specIsLocal,
    api,
  };
}

type SpecPlace =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "url"; readonly path: string }
  | { readonly kind: "outside"; readonly path: string; readonly root: string };

function placeSpec(name: string, { file, root: given }: ToolsetRequest): SpecPlace {
  if (/^https?:\/\//i.test(name)) return { kind: "url", path: name };
  const root = rootOf(file, given);
  const { path, inside } = boundPath(name, file, root);
  return inside ? { kind: "file", path } : { kind: "outside", path, root };
}

async function readApi(spec: SpecPlace): Promise<Api> {
  if (spec.kind === "file") return loadApi(spec.path, {});
  // A spec's address is no destination of the API's: it must be public and https whatever the curation trusts.
  const egress = openEgress({ trustedHosts: [], allowPrivate: [], allowHttp: false });
  try {
    return await loadApi(spec.path, { egress });
  } finally {
    await egress.close();
  }
}
