export type Path = readonly (string | number)[];

/** A mistake before its place in the text is looked up. */
export interface Finding {
  readonly code: string;
  readonly path: Path;
  /** Whether the key at the end of the path is meant, or what it holds. */
  readonly at: "key" | "value";
  readonly message: string;
  readonly hint?: string;
  /** Of a key that is missing: any of these would do. */
  readonly lacks?: readonly string[];
  /** Of a key that is unknown: the one that was meant. */
  readonly meant?: string;
  /** Of a key that is unknown: nothing is called so, here or nearby. */
  readonly stray?: true;
}
