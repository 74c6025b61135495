// The least that the MCP SDK v2 serves over stdio, unbundled: one tool. What the benchmarks measure against.
// node bench/bare-server.mjs [FILE]      reads and parses a JSON file first; with an http URL, its tool fetches that
import { readFileSync } from "node:fs";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const [source] = process.argv.slice(2);
const url = source?.startsWith("http") ? source : undefined;
const document = source === undefined || url !== undefined ? {} : JSON.parse(readFileSync(source, "utf8"));

serveStdio(() => {
  const server = new McpServer({ name: "bare", version: "1" });
  const inputSchema = z.object({ text: z.string() });
  server.registerTool("echo", { description: "Says it again.", inputSchema }, async ({ text }) => ({
    content: [{ type: "text", text: url === undefined ? `${text} ${Object.keys(document)}` : await fetchText() }],
  }));
  return server;
});

async function fetchText() {
  return (await fetch(url)).text();
}
