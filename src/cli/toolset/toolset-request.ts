import type { SpecFile } from "../../model/api.ts";
import type { Problem } from "../../model/problem.ts";
import type { Toolset } from "../../model/tool.ts";
import type { TagChoice } from "../../model/visible/hide-by-tags.ts";

/** Which toolset is wanted. */
export interface ToolsetRequest {
  /** The curation, as the user typed it: findings name it so. */
  readonly file: string;
  readonly root: string | undefined;
  readonly readOnly: boolean;
  /** The tools that it leaves out are as if they did not exist. */
  readonly tags?: TagChoice;
  /** What the caller's key leaves of those, likewise. */
  readonly keyTags?: TagChoice;
  /** In place of what the curation says. */
  readonly expose?: "flat" | "grouped";
  /** Nobody compares it, nor makes a manifest of it (`CompileOptions.servedOnly`). */
  readonly servedOnly?: boolean;
  /** Hears of each further file before it is read, by its absolute path. */
  readonly reading?: (path: string) => void;
  /** In place of a curation: `file` is then the spec itself. */
  readonly explored?: ExploredSpec;
}

/** An API that is explored without a curation. */
export interface ExploredSpec {
  /** A file, as the user typed it, or a URL. */
  readonly spec: string;
  readonly baseUrl?: string;
}

/** A toolset, or the findings of severity error that prevented it. */
export interface LoadedToolset {
  readonly toolset?: Toolset;
  readonly problems: readonly Problem[];
  /**
   * Every local file that it was made from or that was looked for, by absolute path, the curation first. They are hashed when this is first
   * called, and until then the spec is kept in memory.
   */
  files(): readonly SpecFile[];
  /** Of the API alone, of URLs too: the spec, its overlays and each further file that was looked for. Hashed and kept likewise. */
  sources(): readonly SpecFile[];
  /** The hosts that a local spec names are the user's own word; those of a downloaded one, or of a downloaded overlay, are not. */
  readonly specIsLocal: boolean;
  /** SHA-256 of the manifest, in hex, where a server has made it before. */
  readonly toolsSha?: string;
}
