import type { Attributes } from "@opentelemetry/api";
import type { CallBegun, CallRecord } from "../../model/call-watch.ts";
import { FAULT_NAMES } from "../../model/errors.ts";
import { readAttempt } from "../read-identity.ts";

/** The code of JSON-RPC behind what events call a fault. */
const FAULT_CODES: ReadonlyMap<string, string> = new Map([
  ...[...FAULT_NAMES].map(([code, name]) => [name, `${code}`] as const),
  ["unknown_tool", "-32602"],
]);

/** The name of a call's span: few of them, whatever callers send. */
export function callName({ tool, known }: CallBegun): string {
  return known ? `tools/call ${tool}` : "tools/call";
}

/** What is known of a call when it comes (Semantic conventions for MCP, server). Few values each: metrics have them too. */
export function callAttributes({ server, tool, known, transport }: CallBegun): Attributes {
  return {
    "mcp.method.name": "tools/call",
    "gen_ai.operation.name": "execute_tool",
    ...(known && tool !== null && { "gen_ai.tool.name": tool }),
    "network.transport": transport,
    ...(transport === "tcp" && { "network.protocol.name": "http" }),
    "vitrine.server": server,
  };
}

/** How it failed: for tools' errors the conventions have one word, and the code stands beside it. Nothing for a reply. */
export function errorAttributes({ channel, error }: CallRecord): Attributes {
  if (channel === null || error === null) return {};
  if (channel === "tool_result") return { "error.type": "tool_error", "vitrine.error": error };
  const code = FAULT_CODES.get(error);
  return {
    "error.type": code ?? error,
    ...(code !== undefined && { "rpc.response.status_code": code }),
    "vitrine.error": error,
  };
}

/** What a span tells beside: numbers, and of what the caller says only the version that it speaks. */
export function spanAttributes({ meta }: CallBegun, record: CallRecord): Attributes {
  const attempt = readAttempt(meta);
  const version = meta["io.modelcontextprotocol/protocolVersion"];
  return {
    ...(typeof version === "string" && /^\d{4}-\d\d-\d\d$/.test(version) && { "mcp.protocol.version": version }),
    ...(attempt > 1 && { "vitrine.attempt": attempt }),
    "vitrine.bytes_in": record.bytesIn,
    "vitrine.bytes_out": record.bytesOut,
    "vitrine.bytes_upstream": record.upstream.bytes,
    "vitrine.upstream_calls": record.upstream.calls,
    "vitrine.rows_omitted": record.rowsOmitted,
  };
}
