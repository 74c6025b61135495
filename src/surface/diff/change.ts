import type { Json } from "../../model/json.ts";
import type { Severity } from "../../model/problem.ts";

/**
 * What a change of the tool list means to agents that use it. BREAKING: calls that worked fail, or a client's approval no longer fits. BEHAVIOUR:
 * calls work and agents may choose or read otherwise. UNKNOWN: nobody can tell by comparing, so it counts as breaking.
 */
export const CHANGE_CLASSES = ["BREAKING", "UNKNOWN", "BEHAVIOUR", "COMPATIBLE"] as const;
export type ChangeClass = (typeof CHANGE_CLASSES)[number];

/** What cannot be compared is never told as fine. */
export const CLASS_SEVERITIES: Readonly<Record<ChangeClass, Severity>> = {
  BREAKING: "error",
  UNKNOWN: "error",
  BEHAVIOUR: "warning",
  COMPATIBLE: "note",
};

/** One difference between two manifests. */
export interface Change {
  /** Stable snake_case; what it means is in `CHANGE_RULES`. */
  readonly rule: string;
  readonly class: ChangeClass;
  /** As callers see it (of an action `billing.get`: `TOOL/ACTION`); null where it is about the whole server. */
  readonly tool: string | null;
  /** JSON pointer from the tool (of a change of the server, from the manifest): `/inputSchema/properties/start/type`, `/conduct/limit/max`. */
  readonly path: string;
  /** Null where there was or is nothing. */
  readonly before: Json;
  readonly after: Json;
  /** What is different, in a sentence with both values. */
  readonly message: string;
}

/** What is behind a rule, for people. */
export interface ChangeRule {
  readonly rule: string;
  readonly class: ChangeClass;
  /** A few words, for lists of rules. */
  readonly title: string;
  /** Why it matters to an agent, a sentence. */
  readonly why: string;
  /** What to do, a sentence. */
  readonly remedy: string;
}

/** Where a change comes from. `spec+curation`: only both together make it, or each alone would. */
export type Cause = "spec" | "curation" | "compiler" | "spec+curation" | "unknown";

/** A change with its cause, and where in the head curation (else the lock file) to look. */
export interface DiffFinding extends Change {
  readonly cause: Cause;
  readonly file: string;
  readonly line: number;
}
