import { pipeline, Readable } from "node:stream";
import type { JSONRPCMessage, Server } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";

import { createToolServer, type ToolServerOptions } from "./create-server.ts";
import { openStdioFront } from "./front/open-stdio-front.ts";
import { gatherAnswers } from "./gather-answers.ts";
import { hearSdk } from "./hear-sdk.ts";
import { keepName } from "./keep-name.ts";
import type { ToolsetSource } from "./make-generation.ts";
import { type RefusedMessage, readJsonRpc } from "./parse-message.ts";
import { readLines } from "./read-lines.ts";
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
  const { report } = options;
  const servers = new Set<Server>();
  const calls = watchCalls(source, options);
  const answers = gatherAnswers(process.stdout);
  // The SDK's own reading of stdin hears of its end alone: what comes is read here, once.
  const ending = new Readable({ read() {} });
  const transport = new StdioServerTransport(ending as unknown as typeof process.stdin);
  const refuse = (refused: RefusedMessage): void => {
    const { code, message, id } = refused;
    calls?.refused(refused);
    // The SDK's type knows no error without an id, which JSON-RPC 2.0 asks for where none could be read.
    transport.send({ jsonrpc: "2.0", id, error: { code, message } } as JSONRPCMessage).catch(report);
  };
  const pass = (body: object): void => {
    const read = readJsonRpc(body);
    if (read.kind === "refused") refuse(read);
    else {
      calls?.came(body);
      transport.onmessage?.(keepName(read.message));
    }
  };
  const front = openStdioFront({
    current: source.current,
    options,
    send: answers.send,
    pass,
    open: (body) => calls?.open(body),
  });
  const send = transport.send.bind(transport);
  transport.send = (message) => {
    calls?.answered(message);
    front.answered(message);
    return send(message);
  };
  const input = readLines({
    refuse,
    accept: (body) => {
      if (!front.take(body)) pass(body);
    },
  });
  // An end or an error of stdin closes the transport.
  pipeline(process.stdin, input, () => void ending.destroy());
  const handle = serveStdio(
    ({ era }) => {
      const server = createToolServer(source.current, options, ({ mcpReq }) => calls?.take(mcpReq.id));
      front.opened({ isModern: era === "modern", capabilities: () => server.getClientCapabilities() });
      servers.add(server);
      server.onclose = () => servers.delete(server);
      return server;
    },
    { transport, onerror: hearSdk(report) },
  );
  const unsubscribe = source.onChange(() => {
    for (const server of servers) server.sendToolListChanged().catch(report);
  });
  const whenClosed = closed(transport, () => {
    front.close();
    answers.flush();
  });
  const stop = (): void => void handle.close();
  options.signal.addEventListener("abort", stop, { once: true });
  if (options.signal.aborted) stop();
  await whenClosed;
  unsubscribe();
  calls?.ended();
  process.stdin.unpipe(input).pause();
}

function watchCalls({ current }: ToolsetSource, { watcher, report }: StdioOptions): ConnectionCalls | undefined {
  return watcher && watchConnection({ current, watcher, report });
}

function closed(transport: StdioServerTransport, end: () => void): Promise<void> {
  return new Promise((resolve) => {
    const tellSdk = transport.onclose;
    transport.onclose = () => {
      tellSdk?.();
      end();
      resolve();
    };
  });
}
