// Visits a server with LangChain's MCP adapters. Argument: JSON {url, headers | command, args, env; calls}. Prints {tools, replies}.
import { MultiServerMCPClient } from "@langchain/mcp-adapters";

const { url, headers, command, args, env, calls } = JSON.parse(process.argv[2]);
const server = url ? { transport: "http", url, headers } : { transport: "stdio", command, args, env };
const client = new MultiServerMCPClient({ mcpServers: { visited: server } });

/** Where there is structured content a model is shown {type, text, structuredContent} as one text. */
function readMessage({ status, content, artifact }) {
  const structured = artifact?.find(({ type }) => type === "mcp_structured_content")?.data ?? null;
  return { failed: status === "error", text: structured === null ? content : JSON.parse(content).text, structured };
}

/** A tool that answers with an error throws, with the text of its answer last. */
const readError = ({ message }) => ({ failed: true, text: message.slice(message.indexOf("{")) });

try {
  const tools = await client.getTools();
  const replies = [];
  for (const { tool, input } of calls) {
    const called = tools.find(({ name }) => name === tool);
    const request = { type: "tool_call", id: "1", name: tool, args: input };
    replies.push(await called.invoke(request).then(readMessage, readError));
  }
  process.stdout.write(JSON.stringify({ tools: tools.map(({ name }) => name), replies }));
} finally {
  await client.close();
}
