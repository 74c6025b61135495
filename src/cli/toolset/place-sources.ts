import type { Curation } from "../../curation/format.ts";
import { isUrl } from "../../model/is-url.ts";
import type { Problem } from "../../model/problem.ts";
import { boundPath, rootOf } from "./bound-path.ts";
import type { ToolsetRequest } from "./toolset-request.ts";

/** Where the spec and the overlays of a curation are: paths as seen from the working directory, or URLs. */
export interface PlacedSources {
  readonly spec: string;
  readonly overlays: readonly string[];
}

/**
 * Files lie under the root (contract section 1); one that does not is an error at its place, and then nothing is read. `other` stands in place of the
 * spec that the curation names, wherever it lies: the user named it.
 */
export function placeSources(
  curation: Curation,
  { file, root: given }: ToolsetRequest,
  other?: string,
): { readonly sources?: PlacedSources; readonly problems: readonly Problem[] } {
  const { spec, overlays = [] } = curation.content.api;
  const root = rootOf(file, given);
  const problems: Problem[] = [];
  const place = (name: string, what: string, at: readonly (string | number)[]): string => {
    if (isUrl(name)) return name;
    const { path, inside } = boundPath(name, file, root);
    const message = `The ${what} ${path} lies outside of ${root}.`;
    const hint = "Move it, or name a folder that holds all with --root.";
    if (!inside) problems.push({ code: "outside_root", severity: "error", ...curation.locate(at), message, hint });
    return path;
  };
  const sources = {
    spec: other ?? place(spec, "spec", ["api", "spec"]),
    overlays: overlays.map((name, index) => place(name, "overlay", ["api", "overlays", index])),
  };
  return problems.length === 0 ? { sources, problems } : { problems };
}
