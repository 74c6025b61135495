import { openSession } from "../../test/setup/clients.ts";
import type { Server } from "./server.ts";

/** `vitrine serve` over stdio, called as a client without elicitation does. */
export async function openVitrineTools(
  args: readonly string[],
  env: Record<string, string>,
): Promise<Server & { close(): Promise<void> }> {
  const session = await openSession(args, env);
  const { tools } = await session.client.listTools();
  const call: Server["call"] = async (tool, input) => {
    const { isError, text, json } = await session.call(tool, input);
    if (isError) throw new Error(`${tool} failed: ${text}`);
    return { text, json };
  };
  return { tools, call, close: session.close };
}
