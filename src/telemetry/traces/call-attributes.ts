import type { Attributes } from "@opentelemetry/api";
import type { CallBegun, CallRecord } from "../../model/call-watch.ts";
import { FAULT_NAMES } from "../../model/errors.ts";
import { readAttempt } from "../read-identity.ts";
import type { SharedAttributes } from "./make-span.ts";

/** The code of JSON-RPC behind what events call a fault. */
const FAULT_CODES: ReadonlyMap<string, string> = new Map([
  ...[...FAULT_NAMES].map(([code, name]) => [name, `${code}`] as const),
  ["unknown_tool", "-32602"],
]);

export interface DescribedCall {
  /** The same for the same attributes. */
  readonly key: string;
  /** Of its span: few of them, whatever callers send. */
  readonly name: string;
  /** What is known of it when it comes (Semantic conventions for MCP, server). Few values each: metrics have them too. */
  readonly shared: SharedAttributes;
}

interface KnownCall extends DescribedCall {
  readonly transport: CallBegun["transport"];
}

/** By server and tool: few, as each tool is one that is known. */
const CALLS = new Map<string, Map<string, KnownCall>>();

/** Made once for all calls of a tool. */
export function describeCall({ server, tool, known, transport }: CallBegun): DescribedCall {
  const name = known && tool !== null ? tool : "";
  const ofServer = CALLS.get(server) ?? new Map<string, KnownCall>();
  const made = ofServer.get(name);
  if (made?.transport === transport) return made;
  const fresh = { ...describe(server, name, transport), transport };
  CALLS.set(server, ofServer.set(name, fresh));
  return fresh;
}

function describe(server: string, tool: string, transport: CallBegun["transport"]): DescribedCall {
  const attributes = {
    "mcp.method.name": "tools/call",
    "gen_ai.operation.name": "execute_tool",
    ...(tool !== "" && { "gen_ai.tool.name": tool }),
    "network.transport": transport,
    ...(transport === "tcp" && { "network.protocol.name": "http" }),
    "vitrine.server": server,
  };
  return {
    key: `${transport} ${server} ${tool}`,
    name: tool === "" ? "tools/call" : `tools/call ${tool}`,
    shared: { attributes },
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

/** What a span tells of this call alone: numbers, and of what the caller says only the version that it speaks. */
export function callAttributes({ meta }: CallBegun, record: CallRecord): Attributes {
  const own: Attributes = {
    "vitrine.bytes_in": record.bytesIn,
    "vitrine.bytes_out": record.bytesOut,
    "vitrine.bytes_upstream": record.upstream.bytes,
    "vitrine.upstream_calls": record.upstream.calls,
    "vitrine.rows_omitted": record.rowsOmitted,
  };
  const version = meta["io.modelcontextprotocol/protocolVersion"];
  if (typeof version === "string" && /^\d{4}-\d\d-\d\d$/.test(version)) own["mcp.protocol.version"] = version;
  const attempt = readAttempt(meta);
  if (attempt > 1) own["vitrine.attempt"] = attempt;
  return record.channel === null ? own : Object.assign(own, errorAttributes(record));
}
