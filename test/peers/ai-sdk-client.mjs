// Visits a server with the AI SDK's own MCP client. Argument: JSON {url, headers | command, args, env; calls}. Prints {tools, replies}.
import { createMCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport as StdioTransport } from "@ai-sdk/mcp/mcp-stdio";

const { url, headers, command, args, env, calls } = JSON.parse(process.argv[2]);
const transport = url ? { type: "http", url, headers } : new StdioTransport({ command, args, env });
const client = await createMCPClient({ transport });
try {
  const listed = await client.listTools();
  const tools = await client.tools();
  const replies = [];
  for (const { tool, input } of calls) {
    const result = await tools[tool].execute(input, { toolCallId: "1", messages: [] });
    const { isError = false, content, structuredContent: structured = null } = result;
    replies.push({ failed: isError, text: content[0].text, structured });
  }
  process.stdout.write(JSON.stringify({ tools: listed.tools.map(({ name }) => name), replies }));
} finally {
  await client.close();
}
