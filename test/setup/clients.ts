import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { connect, type Peer } from "../mcp/peers.ts";
import { cleanEnv, program } from "./program.ts";

/** What a tool answered, as a client sees it. */
export interface Answer {
  readonly isError: boolean;
  readonly text: string;
  // Tests look at replies of many shapes; they are data of the test's own making.
  readonly json: Record<string, unknown> & { data?: Record<string, unknown>[]; error?: string };
  readonly result: CallToolResult;
}

export interface Session {
  call(tool: string, args?: Record<string, unknown>): Promise<Answer>;
  readonly client: Awaited<ReturnType<typeof connect>>;
  close(): Promise<void>;
}

/** Starts `vitrine serve` over stdio as a client does, and connects to it. */
export async function openSession(
  args: readonly string[],
  env: Record<string, string> = {},
  peer: Peer = "v2 SDK, 2026-07-28",
): Promise<Session> {
  const client = await connect(peer, {
    command: process.execPath,
    args: [program, "serve", ...args],
    env: cleanEnv(env),
  });
  return {
    client,
    close: () => client.close(),
    call: async (name, input = {}) => readAnswer((await client.callTool({ name, arguments: input })) as CallToolResult),
  };
}

export function readAnswer(result: CallToolResult): Answer {
  const first = result.content[0];
  const text = first?.type === "text" ? first.text : "";
  return { isError: result.isError === true, text, json: JSON.parse(text), result };
}
