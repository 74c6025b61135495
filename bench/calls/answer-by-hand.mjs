// The floor: MCP written by hand, with no SDK, no checks and no shaping; the upstream's text is passed through. Both eras.
import { askUpstream, LIST } from "./ask-upstream.mjs";

const INFO = { name: "hand", version: "1" };

/** The response to a message, or undefined where there is none. */
export async function answerByHand({ id, method, params }) {
  if (id === undefined) return undefined;
  const isModern = params?._meta?.["io.modelcontextprotocol/protocolVersion"] !== undefined;
  const found = await resultOf(method, params);
  if (found === undefined) return { jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } };
  return { jsonrpc: "2.0", id, result: isModern ? { ...found, resultType: "complete" } : found };
}

async function resultOf(method, params) {
  switch (method) {
    case "initialize":
      return { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: INFO };
    case "tools/list":
      return { tools: LIST };
    case "tools/call":
      return { content: [{ type: "text", text: await askUpstream(params.name) }] };
    default:
      return undefined;
  }
}
