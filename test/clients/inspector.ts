import type { Target } from "../mcp/peers.ts";
import { type Ended, flagPairs, runPeer } from "./run-peer.ts";
import { readResult, type Visitor } from "./visit.ts";

export type Era = "legacy" | "modern";

/** The exit code of a call that a tool answered with an error. */
const TOOL_ERROR = 5;

/** Runs the command line of the official Inspector once. */
export function inspect(era: Era, target: Target, ...options: readonly string[]): Promise<Ended> {
  const server =
    "url" in target
      ? [target.url, "--transport", "http", ...flagPairs("--header", target.headers, ": ")]
      : [...flagPairs("-e", target.env), target.command, ...target.args];
  const args = ["--cli", ...server, "--protocol-era", era, "--format", "json", "-q", "--stored-auth-only", ...options];
  return runPeer(["node_modules", ".bin", "inspector"], args);
}

/** `--strict`: where the Inspector holds a tool's schema for wrong, it lists nothing. */
export function visitWithInspector(era: Era): Visitor {
  return async (target, calls) => {
    const [listed, ...called] = await Promise.all([
      inspect(era, target, "--method", "tools/list", "--strict"),
      ...calls.map(({ tool, input }) =>
        inspect(era, target, "--method", "tools/call", "--tool-name", tool, "--tool-args-json", JSON.stringify(input)),
      ),
    ]);
    for (const { code, err } of [listed, ...called]) if (code !== 0 && code !== TOOL_ERROR) throw new Error(err);
    return {
      tools: JSON.parse(listed.out).result.tools.map(({ name }: { name: string }) => name),
      replies: called.map(({ out }) => readResult(JSON.parse(out).result)),
    };
  };
}
