import type { Json, JsonObject } from "../model/json.ts";
import { readTraceContext } from "./read-trace-context.ts";

/** What a caller says of the run that a call belongs to. */
export interface Identity {
  readonly runId: string | null;
  /** How often the run has made this call, counted by the caller. */
  readonly attempt: number;
  readonly promptSha: string | null;
}

const MOST_ATTEMPTS = 1_000_000;

/**
 * Reads a request's `_meta`. What is malformed, or longer than an identifier is, counts as not said: it is a stranger's text, and events hold no
 * content.
 */
export function readIdentity(meta: JsonObject): Identity {
  return {
    runId: matching(meta["io.vitrine/run-id"], /^[\w.:/+=-]{1,128}$/) ?? readTraceContext(meta)?.traceId ?? null,
    attempt: readAttempt(meta),
    promptSha: matching(meta["io.vitrine/prompt-sha"], /^(sha256:)?[0-9a-f]{7,128}$/i) ?? null,
  };
}

export function readAttempt(meta: JsonObject): number {
  const attempt = meta["io.vitrine/attempt"];
  return isCount(attempt) ? attempt : 1;
}

function matching(value: Json | undefined, pattern: RegExp): string | undefined {
  return typeof value === "string" && pattern.test(value) ? value : undefined;
}

function isCount(value: Json | undefined): value is number {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MOST_ATTEMPTS;
}
