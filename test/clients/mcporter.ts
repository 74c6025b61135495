import type { Target } from "../mcp/peers.ts";
import { flagPairs, runPeer } from "./run-peer.ts";
import type { Visitor } from "./visit.ts";

/** A visit by the command line of mcporter, a process for the list and one for each call. */
export const visitWithMcporter: Visitor = async (target, calls) => {
  const mcporter = (verb: string, ...rest: string[]) =>
    runPeer(["node_modules", ".bin", "mcporter"], [verb, ...serverOptions(target), "--name", "visited", ...rest]);
  const [listed, ...called] = await Promise.all([
    mcporter("list", "--json"),
    ...calls.map(({ tool, input }) => mcporter("call", tool, "--args", JSON.stringify(input), "--output", "json")),
  ]);
  if (listed.code !== 0) throw new Error(listed.out);
  return {
    tools: JSON.parse(listed.out).tools.map(({ name }: { name: string }) => name),
    replies: called.map(({ code, out }) => ({ failed: code !== 0, text: JSON.parse(out) })),
  };
};

function serverOptions(target: Target): string[] {
  if ("url" in target) return ["--allow-http", "--http-url", target.url, ...flagPairs("--header", target.headers)];
  const args = target.args.flatMap((arg) => ["--stdio-arg", arg]);
  return ["--stdio", target.command, ...args, ...flagPairs("--env", target.env)];
}
