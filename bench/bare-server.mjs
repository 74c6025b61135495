// The least that the MCP SDK v2 serves over stdio, unbundled: one tool. bench/cold-start.mjs measures against it.
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

serveStdio(() => {
  const server = new McpServer({ name: "bare", version: "1" });
  const inputSchema = z.object({ text: z.string() });
  server.registerTool("echo", { description: "Says it again.", inputSchema }, ({ text }) => ({
    content: [{ type: "text", text }],
  }));
  return server;
});
