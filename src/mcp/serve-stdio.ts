import { pipeline } from "node:stream";
import type { JSONRPCMessage, Server } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { createToolServer, type ToolServerOptions } from "./create-server.ts";
import { filterLines } from "./filter-lines.ts";
import type { ToolsetSource } from "./make-generation.ts";
import { type ConnectionCalls, watchConnection } from "./watch-connection.ts";

export interface StdioOptions extends ToolServerOptions {
  /** Ends the serving from our side. */
  readonly signal: AbortSignal;
}

/**
 * Serves one connection over this process's stdin and stdout, for clients of 2026-07-28 and 2025-11-25 alike. Resolves when stdin ends or
 * `signal` aborts; calls still running then are aborted and not answered (MCP 2026-07-28, stdio: the client closes stdin to end).
 */
export async function serveOverStdio(source: ToolsetSource, options: StdioOptions): Promise<void> {
  const servers = new Set<Server>();
  const calls = watchCalls(source, options);
  const input = filterLines((refused) => {
    const { code, message, id } = refused;
    calls?.refused(refused);
    // The SDK's type knows no error without an id, which JSON-RPC 2.0 asks for where none could be read.
    const error = { jsonrpc: "2.0", id, error: { code, message } } as JSONRPCMessage;
    send(error).catch(options.report);
  }, calls?.came);
  const transport = new StdioServerTransport(input as unknown as ConstructorParameters<typeof StdioServerTransport>[0]);
  const send = transport.send.bind(transport);
  if (calls !== undefined) {
    transport.send = (message) => {
      calls.answered(message);
      return send(message);
    };
  }
  // An end or an error of stdin closes the transport.
  pipeline(process.stdin, input, () => {});
  const handle = serveStdio(
    () => {
      const server = createToolServer(source.current, options, ({ mcpReq }) => calls?.take(mcpReq.id));
      servers.add(server);
      server.onclose = () => servers.delete(server);
      return server;
    },
    { transport, onerror: options.report },
  );
  const unsubscribe = source.onChange(() => {
    for (const server of servers) server.sendToolListChanged().catch(options.report);
  });
  await closed(transport, options.signal, handle.close);
  unsubscribe();
  calls?.ended();
  process.stdin.unpipe(input).pause();
}

function watchCalls({ current }: ToolsetSource, { watcher, report }: StdioOptions): ConnectionCalls | undefined {
  return watcher && watchConnection({ current, watcher, report });
}

function closed(transport: StdioServerTransport, signal: AbortSignal, close: () => Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const tellSdk = transport.onclose;
    transport.onclose = () => {
      tellSdk?.();
      resolve();
    };
    signal.addEventListener("abort", () => void close(), { once: true });
    if (signal.aborted) void close();
  });
}
