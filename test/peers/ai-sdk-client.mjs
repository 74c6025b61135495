// Lists the tools and calls one, with the AI SDK's own MCP client. Argument: JSON {url | command, args, env, tool, input}. Prints {names, schemas, result}.
import { createMCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport as StdioTransport } from "@ai-sdk/mcp/mcp-stdio";

const { url, command, args, env, tool, input } = JSON.parse(process.argv[2]);
const transport = url ? { type: "http", url } : new StdioTransport({ command, args, env });
const client = await createMCPClient({ transport });
try {
  const listed = await client.listTools();
  const tools = await client.tools();
  const result = await tools[tool].execute(input, { toolCallId: "1", messages: [] });
  process.stdout.write(JSON.stringify({ tools: listed.tools, result }));
} finally {
  await client.close();
}
