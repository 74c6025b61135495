/** What events call a JSON-RPC error (JSON-RPC 2.0, 5.1; MCP 2026-07-28, Error Codes). */
const FAULTS: ReadonlyMap<number, string> = new Map([
  [-32700, "parse_error"],
  [-32600, "invalid_request"],
  [-32601, "method_not_found"],
  [-32602, "invalid_params"],
  [-32020, "header_mismatch"],
  [-32021, "missing_capability"],
  [-32022, "unsupported_version"],
  // Of the hosted proxy, outside of what JSON-RPC keeps for itself.
  [1429, "rate_limited"],
  [1503, "overloaded"],
]);

const INTERNAL = -32603;

/** How a call ended that was answered with a JSON-RPC error, or not at all, before a tool was looked for. */
export function nameFault(code: number | undefined): readonly [channel: "protocol" | "crash", error: string] {
  if (code === INTERNAL) return ["crash", "internal"];
  return ["protocol", code === undefined ? "unanswered" : (FAULTS.get(code) ?? "rejected")];
}
