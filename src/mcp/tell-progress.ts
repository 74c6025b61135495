import type { ServerContext } from "@modelcontextprotocol/server";
import type { Caller } from "../model/exchange.ts";

type Request = Pick<ServerContext["mcpReq"], "_meta" | "notify" | "signal">;

/** How far each request was said to be, by its signal: a question that the SDK asks meanwhile makes a request of 2025-11-25 begin anew. */
const TOLD = new WeakMap<AbortSignal, number>();

/** Tells the client how far a call is, where it asked for that; each value is greater than the one before (MCP 2025-11-25, Progress). */
export function openProgress(
  { _meta, notify, signal }: Request,
  report: (error: unknown) => void,
): Pick<Caller, "progress"> {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return {};
  return {
    progress: (progress, total, message) => {
      if (progress <= (TOLD.get(signal) ?? 0)) return;
      TOLD.set(signal, progress);
      notify({ method: "notifications/progress", params: { progressToken, progress, total, message } }).catch(report);
    },
  };
}
