import type { Problem } from "../model/problem.ts";
import type { Toolset } from "../model/tool.ts";

/** Which toolset is wanted. */
export interface ToolsetRequest {
  /** The curation, as the user typed it: findings name it so. */
  readonly file: string;
  readonly root: string | undefined;
  readonly readOnly: boolean;
  /** Hears of each further file before it is read, by its absolute path. */
  readonly reading?: (path: string) => void;
}

/** A toolset, or the findings of severity error that prevented it. */
export interface LoadedToolset {
  readonly toolset?: Toolset;
  readonly problems: readonly Problem[];
  /** Every local file that it was made from, by absolute path, the curation first. */
  readonly files: readonly { readonly path: string; readonly sha256: string }[];
  /** The hosts that a local spec names are the user's own word; those of a downloaded one are not. */
  readonly specIsLocal: boolean;
}
