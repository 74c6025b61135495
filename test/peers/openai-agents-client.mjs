// Lets an agent of OpenAI's Agents SDK visit a server; its model is here, and asks for the given calls. Argument: JSON {url, headers | command, args, env; calls}.
// Prints {tools, replies}, as the model sees them: to it the answer of a tool is text, also where it tells of an error.
import { Agent, MCPServerStdio, MCPServerStreamableHttp, Runner, Usage } from "@openai/agents";

const { url, headers, command, args, env, calls } = JSON.parse(process.argv[2]);
const server = url
  ? new MCPServerStreamableHttp({ url, requestInit: { headers } })
  : new MCPServerStdio({ command, args, env });

const seen = { tools: [], replies: [] };
const ask = ({ tool, input }, at) => ({
  type: "function_call",
  callId: `${at}`,
  name: tool,
  arguments: JSON.stringify(input),
});
const DONE = {
  type: "message",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text: "Done." }],
};
const model = {
  async getResponse({ tools, input }) {
    seen.tools = tools.map(({ name }) => name);
    const answers = input.filter(({ type }) => type === "function_call_result");
    seen.replies = answers.map(({ output: [{ text }] }) => ({ failed: "error" in JSON.parse(text), text }));
    return { usage: new Usage(), output: answers.length > 0 ? [DONE] : calls.map(ask) };
  },
};

try {
  await server.connect();
  await new Runner({ tracingDisabled: true }).run(
    new Agent({ name: "visitor", model, mcpServers: [server] }),
    "Visit.",
  );
  process.stdout.write(JSON.stringify(seen));
} finally {
  await server.close();
}
