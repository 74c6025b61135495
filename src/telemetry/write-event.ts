import type { CallBegun, CallRecord } from "../model/call-watch.ts";
import { readIdentity } from "./read-identity.ts";

/** What an event is made of beside how the call went. */
export interface EventFacts {
  /** When the call came, in milliseconds of the epoch. */
  readonly at: number;
  readonly toolsSha: string | null;
  readonly keyId: string | null;
  /** Events that were lost before this one. */
  readonly lost: number;
}

/** One line of `events.jsonl` (contract section 10), with its line feed. */
export function writeEvent(begun: CallBegun, record: CallRecord, facts: EventFacts): string {
  const { runId, attempt, promptSha } = readIdentity(begun.meta);
  const { channel, upstream } = record;
  const event = {
    schema: "events.v1",
    ts: new Date(facts.at).toISOString(),
    run_id: runId,
    attempt,
    server: begun.server,
    tool: begun.tool,
    mcp_method: "tools/call",
    latency_ms: roundMs(record.ms),
    upstream_ms: roundMs(upstream.ms),
    upstream_calls: upstream.calls,
    ok: channel === null,
    is_error: channel === null ? false : channel === "tool_result" ? true : null,
    error_channel: channel,
    error: record.error,
    bytes_in: record.bytesIn,
    bytes_out: record.bytesOut,
    bytes_upstream: upstream.bytes,
    rows_omitted: record.rowsOmitted,
    prompt_sha: promptSha,
    tools_sha: facts.toolsSha,
    key_id: facts.keyId,
    ...(facts.lost > 0 && { lost: facts.lost }),
  };
  return `${JSON.stringify(event)}\n`;
}

function roundMs(ms: number): number {
  return Math.round(ms * 100) / 100;
}
