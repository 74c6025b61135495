import { dirname, relative, resolve, sep } from "node:path";
import { compareTexts } from "../../model/compare-texts.ts";
import { isUrl } from "../../model/is-url.ts";
import type { Made } from "../../surface/manifest-format.ts";
import { version } from "../version.ts";
import type { LoadedToolset, ToolsetRequest } from "./toolset-request.ts";

/** What a manifest says of its making: the same in every folder that the curation and its files are copied to. */
export function madeFrom({ file }: Pick<ToolsetRequest, "file">, { sources }: Pick<LoadedToolset, "sources">): Made {
  const folder = dirname(resolve(file));
  const from = new Map(
    sources().flatMap(({ path, sha256 }) => (sha256 === undefined ? [] : [[namePath(path, folder), sha256] as const])),
  );
  const named = [...from].map(([path, sha256]) => ({ path, sha256 }));
  return { vitrine: version, from: named.toSorted((a, b) => compareTexts(a.path, b.path)) };
}

/** Of an address whatever may be a secret is left out. */
function namePath(path: string, folder: string): string {
  if (!isUrl(path)) return relative(folder, resolve(path)).split(sep).join("/");
  const url = new URL(path);
  return `${url.origin}${url.pathname}`;
}
