import type { SchemaReader } from "./flatten-schema.ts";

/** What is needed to read schemas as the types that callers write, and what comes up on the way. */
export interface TypeReader extends SchemaReader {
  /** Lower-case names of pins: no caller sets a property of such a name, at any depth. */
  readonly pinned: ReadonlySet<string>;
  /** Patterns of the spec that RE2 cannot enforce. */
  readonly unenforced: Set<string>;
  /** Texts that stand for bytes are files here: in a form with parts, or as a body that is neither JSON nor a form. */
  readonly files?: boolean;
}

/** How much of a schema is spelled out; what is beyond is JSON as text. */
export interface Extent {
  /** Nested objects and lists still to be opened. */
  readonly depth: number;
  /** Values still to be named: shared references make a small document a huge tree. */
  readonly nodes: number;
}

export const WHOLE_INPUT: Extent = { depth: 6, nodes: 250 };
