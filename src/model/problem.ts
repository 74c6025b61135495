export type Severity = "error" | "warning" | "note";

/** Where in an author's file something stands; line and column count from 1. */
export interface SourcePosition {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** One finding about what an author wrote. `code` is stable snake_case; `hint` says what to do, or the nearest valid name. */
export interface Problem extends SourcePosition {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly hint?: string;
}
