import type { Severity } from "../../model/problem.ts";

/** What a command found, in the form in which every format can write it. Texts may come from a spec: each format escapes them. */
export interface FindingReport {
  /** For example `vitrine diff`. */
  readonly title: string;
  /** The program's version. */
  readonly version: string;
  /** One line that says what came out. */
  readonly summary: string;
  /** The rules of `findings`, and any further that were looked at, by ID. */
  readonly rules: readonly ReportRule[];
  /** The worst first. */
  readonly findings: readonly ReportFinding[];
  /** What was looked at, for formats that also list what is well: each finding's `subject` is one of them. */
  readonly subjects: readonly string[];
}

export interface ReportRule {
  readonly id: string;
  readonly title: string;
  readonly help?: string;
  readonly level: Severity;
}

export interface ReportFinding {
  readonly rule: string;
  readonly level: Severity;
  /** A word of the command's own beside the level, for example a class of changes. */
  readonly label?: string;
  /** A tool, or the file where it is about none. */
  readonly subject: string;
  /** Where in the subject, stable when lines move: with rule and subject it makes the fingerprint. */
  readonly path?: string;
  readonly message: string;
  /** Further facts, one a line: `before`, `after`, `cause`, why, what to do. */
  readonly details: readonly (readonly [name: string, text: string])[];
  /** As the user typed the folder: relative to the working directory where it can be. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly column?: number;
}
