import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A line of an events file as the contract shows it; `more` says what is otherwise. */
export function line(more: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({
    schema: "events.v1",
    ts: "2026-11-29T12:00:00.000Z",
    run_id: "run-1",
    attempt: 1,
    server: "ledger",
    tool: "ledger_run_cost_query",
    mcp_method: "tools/call",
    latency_ms: 18.4,
    upstream_ms: 15.1,
    upstream_calls: 2,
    ok: true,
    is_error: false,
    error_channel: null,
    error: null,
    bytes_in: 128,
    bytes_out: 2048,
    bytes_upstream: 51200,
    rows_omitted: 37,
    prompt_sha: null,
    tools_sha: "aaaa",
    key_id: null,
    ...more,
  });
}

export const toolError = (error: string) => ({ ok: false, is_error: true, error_channel: "tool_result", error });
export const protocolFault = {
  ok: false,
  is_error: null,
  error_channel: "protocol",
  error: "unknown_tool",
  bytes_out: 0,
};
export const crash = { ok: false, is_error: null, error_channel: "crash", error: "internal", bytes_out: 0 };

/** The mix of the issue, in an order that mixes it: 100 that went well, 20 tool errors of four codes, 5 protocol faults, 3 crashes; over three days. */
export function knownMix(): string[] {
  const codes = ["unknown_fields", "unknown_id", "upstream_timeout", "invalid_arguments"];
  const ends = [
    ...Array.from({ length: 100 }, () => ({})),
    ...Array.from({ length: 20 }, (_, at) => toolError(codes[at % 4] ?? "")),
    ...Array.from({ length: 5 }, () => protocolFault),
    ...Array.from({ length: 3 }, () => crash),
  ];
  return ends.map((_, at) => {
    const end = ends[(at * 37) % 128];
    const ts = new Date(Date.UTC(2026, 10, 27) + at * 30 * 60_000).toISOString();
    const tool = at % 3 === 0 ? "ledger_list_dimensions" : "ledger_run_cost_query";
    return line({ ts, tool, latency_ms: ((at * 61) % 127) + 0.5, rows_omitted: at, ...end });
  });
}

/** A file of these lines in a folder of its own; its path. */
export function write(lines: readonly string[], name = "events.jsonl"): string {
  const file = join(mkdtempSync(join(tmpdir(), "vitrine-events-")), name);
  writeFileSync(file, lines.map((text) => `${text}\n`).join(""));
  return file;
}
