import { connect, PEERS, type Peer } from "../mcp/peers.ts";
import { havePeers } from "../setup/peers.ts";
import { visitWithInspector } from "./inspector.ts";
import { visitWithMcporter } from "./mcporter.ts";
import { runPeer } from "./run-peer.ts";
import { type Reply, readResult, type ToolResult, type Visitor } from "./visit.ts";

const SDKS = PEERS.map((peer) => [`the ${peer}`, visitWithSdk(peer)] as const);

const OTHERS: readonly (readonly [name: string, visit: Visitor])[] = [
  ["the AI SDK", visitWithScript("ai-sdk-client.mjs")],
  ["LangChain's adapters", visitWithScript("langchain-client.mjs")],
  ["OpenAI's agents", visitWithScript("openai-agents-client.mjs")],
  ["mcporter", visitWithMcporter],
  ["the Inspector, 2025-11-25", visitWithInspector("legacy")],
  ["the Inspector, 2026-07-28", visitWithInspector("modern")],
];

/** Clients that nobody here wrote. Those of others than the SDKs need Node 24, and are tried where they are installed. */
export const CLIENTS = [...SDKS, ...(havePeers() ? OTHERS : [])];

function visitWithSdk(peer: Peer): Visitor {
  return async (target, calls) => {
    const client = await connect(peer, target);
    try {
      const { tools } = await client.listTools();
      const replies: Reply[] = [];
      for (const { tool, input } of calls)
        replies.push(readResult((await client.callTool({ name: tool, arguments: { ...input } })) as ToolResult));
      return { tools: tools.map(({ name }) => name), replies };
    } finally {
      await client.close();
    }
  };
}

/** A visit by a library that others wrote, in a script of `test/peers/`. */
function visitWithScript(name: string): Visitor {
  return async (target, calls) => {
    const { code, out, err } = await runPeer([name], [JSON.stringify({ ...target, calls })]);
    if (code !== 0) throw new Error(err);
    const { tools, replies } = JSON.parse(out) as {
      tools: string[];
      replies: (Omit<Reply, "text"> & { text: string })[];
    };
    return { tools, replies: replies.map((reply) => ({ ...reply, text: JSON.parse(reply.text) })) };
  };
}
