import type { Toolset } from "./tool.ts";

/**
 * What the tools of `explore` know of an API beyond its toolset: every operation that only reads, compiled when it is asked for. Another thread may
 * hold it: then both answers are promises.
 */
export interface Explorer {
  /** In the order of the document. Whether one can be sent as this server has to send it, `has` tells. */
  readonly operations: readonly ExploredOperation[];
  has(operation: ExploredOperation): boolean | Promise<boolean>;
  /** Undefined where there is none, or it cannot be sent with every pin: for callers the same. */
  open(operation: ExploredOperation): OpenedOperation | undefined | Promise<OpenedOperation | undefined>;
}

export interface ExploredOperation {
  /** As callers name it: its operationId, or `METHOD /path` where it has none of its own. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly tags: readonly string[];
  /** What it does, in a few plain words; may be empty. */
  readonly summary: string;
}

export interface OpenedOperation {
  /** With one tool, which sends it: every place that a caller may fill is an input. */
  readonly toolset: Toolset;
  /** What it does, at more length. */
  readonly description: string;
  /** What comes back, in outline: `list of {id, owner {login}}`. */
  readonly returns: string;
}
