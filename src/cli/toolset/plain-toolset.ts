import type { SpecFile } from "../../model/api.ts";
import type { LoadedToolset } from "./toolset-request.ts";

type Lists = "files" | "sources";

/** A loaded toolset as plain data: for the cache, a thread or another process. */
export type PlainToolset = Omit<LoadedToolset, Lists> & Readonly<Record<Lists, readonly SpecFile[]>>;

export function toPlain({ files, sources, ...loaded }: LoadedToolset): PlainToolset {
  return { ...loaded, files: files(), sources: sources() };
}

export function fromPlain({ files, sources, ...loaded }: PlainToolset): LoadedToolset {
  return { ...loaded, files: () => files, sources: () => sources };
}
