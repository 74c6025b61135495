import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { checkHost, hostName, LOOPBACK_NAMES } from "./check-host.ts";
import { createToolServer, type ToolServerOptions } from "./create-server.ts";
import type { ToolsetSource } from "./make-generation.ts";
import { MAX_MESSAGE_BYTES } from "./parse-message.ts";
import { readMessage } from "./read-message.ts";

export interface HttpOptions extends ToolServerOptions {
  readonly hostname: string;
  /** 0 for any free one. */
  readonly port: number;
  /** Host names that are accepted beside the loopback ones. */
  readonly allowHosts: readonly string[];
}

export interface HttpServer {
  /** Where MCP is served. */
  readonly url: string;
  /** Accepts no more, lets running calls finish for `graceMs`, then ends what is left. */
  close(graceMs: number): Promise<void>;
}

// The adapter's own type says `method?: string` without `undefined`, which exactOptionalPropertyTypes tells apart.
type NodeRequest = Parameters<ReturnType<typeof toNodeHandler>>[0];

/** In milliseconds; how often Node looks whether one has passed is half a minute by itself. */
const TIMEOUTS = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 5_000 };

/** A route answers a request whose Host and Origin were found good. */
type Route = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

/**
 * Serves MCP at `/mcp` for clients of 2026-07-28 and 2025-11-25 alike, and `/healthz` beside it. It knows no callers. Rejects with the
 * system's error where the address cannot be bound.
 */
export async function serveOverHttp(source: ToolsetSource, options: HttpOptions): Promise<HttpServer> {
  const mcp = mountMcp(source, options);
  const routes = new Map<string, { methods: readonly string[]; route: Route }>([
    ["/mcp", { methods: ["POST"], route: mcp.route }],
    ["/healthz", { methods: ["GET", "HEAD"], route: (_, response) => answer(response, 200, health(source)) }],
  ]);
  const names = new Set([...LOOPBACK_NAMES, ...options.allowHosts.map((name) => hostName(name) ?? name)]);
  const server = createServer(TIMEOUTS, (request, response) => {
    const refusal = checkHost(addressHeaders(request), names);
    if (refusal !== undefined) return refuse(response, 403, -32000, refusal);
    const found = routes.get((request.url ?? "").split("?", 1)[0] ?? "");
    if (found === undefined) return answer(response, 404, { error: "not_found" });
    if (!found.methods.includes(request.method ?? "")) {
      response.setHeader("allow", found.methods.join(", "));
      return refuse(response, 405, -32000, "Method not allowed.");
    }
    void found.route(request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.hostname, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${options.hostname.includes(":") ? `[${options.hostname}]` : options.hostname}:${port}/mcp`,
    close: async (graceMs) => {
      const ended = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      await mcp.close(graceMs);
      server.closeAllConnections();
      await ended;
    },
  };
}

function mountMcp(
  source: ToolsetSource,
  options: HttpOptions,
): { route: Route; close(graceMs: number): Promise<void> } {
  const { report } = options;
  const handler = createMcpHandler(() => createToolServer(source.current, options), {
    onerror: report,
    maxRequestBodySize: MAX_MESSAGE_BYTES,
  });
  const serve = toNodeHandler(handler, { onerror: report });
  const unsubscribe = source.onChange(() => handler.notify.toolsChanged());
  const running = new Set<Promise<void>>();
  const route: Route = async (request, response) => {
    const message = await readMessage(request).catch(() => undefined);
    if (message === undefined) return;
    if (message.kind === "refused") return refuse(response, message.status, message.code, message.message, message.id);
    // RFC 9112 9.6: the SDK's event streams say keep-alive even to a client that asked to close.
    if (/\bclose\b/i.test(request.headers.connection ?? "")) response.once("finish", () => request.socket.end());
    const exchange = serve(request as NodeRequest, response, message.body).catch(report);
    // A subscription ends when we do, so closing must not wait for it.
    if ("method" in message.body && message.body.method === "subscriptions/listen") return exchange;
    running.add(exchange);
    await exchange.finally(() => running.delete(exchange));
  };
  return {
    route,
    close: async (graceMs) => {
      unsubscribe();
      await Promise.race([Promise.all(running), wait(graceMs)]);
      await handler.close();
    },
  };
}

function health(source: ToolsetSource): object {
  const { identity, tools } = source.current();
  return { status: "ok", server: identity.name, version: identity.version, tools: tools.length };
}

function addressHeaders(request: IncomingMessage): Parameters<typeof checkHost>[0] {
  const values = (name: string): string[] =>
    request.rawHeaders.filter((_, at, raw) => at % 2 === 1 && raw[at - 1]?.toLowerCase() === name);
  return { hosts: values("host"), origins: values("origin") };
}

function refuse(
  response: ServerResponse,
  status: number,
  code: number,
  message: string,
  id: string | number | null = null,
): void {
  if (status === 413) response.setHeader("connection", "close");
  answer(response, status, { jsonrpc: "2.0", error: { code, message }, id });
}

function answer(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  const headers = {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
  };
  response.writeHead(status, headers);
  response.end(text);
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
