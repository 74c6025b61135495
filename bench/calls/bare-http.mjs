// The bare server of the SDK v2 over HTTP.
import { createServer } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { createBareServer } from "./bare-tools.mjs";

const server = createServer(toNodeHandler(createMcpHandler(createBareServer)));
server.listen(0, "127.0.0.1", () => console.error(`Serving at http://127.0.0.1:${server.address().port}/mcp`));
