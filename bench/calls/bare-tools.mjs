// The least that the low-level server of the SDK v2 takes: no schemas, no checks, no shaping; the upstream's text is passed through.
import { Server } from "@modelcontextprotocol/server";
import { askUpstream, LIST } from "./ask-upstream.mjs";

export function createBareServer() {
  const server = new Server({ name: "bare", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", async () => ({ tools: LIST }));
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => ({
    content: [{ type: "text", text: await askUpstream(params.name, mcpReq.signal) }],
  }));
  return server;
}
