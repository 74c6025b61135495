import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { answerFault, answerJson, answerMethod, answerMetrics, SEE_PAGE } from "./answer-fault.ts";
import { createBoundServer } from "./bound-server.ts";
import { addressHeaders, checkHost, hostName, LOOPBACK_NAMES } from "./check-host.ts";
import type { ToolServerOptions } from "./create-server.ts";
import type { ToolsetSource } from "./make-generation.ts";
import { mountMcp } from "./mount-mcp.ts";

export interface HttpOptions extends ToolServerOptions {
  readonly hostname: string;
  /** 0 for any free one. */
  readonly port: number;
  /** Host names that are accepted beside the loopback ones. */
  readonly allowHosts: readonly string[];
  /** What stands at `/metrics`; absent: nothing does. */
  readonly metrics?: { readonly type: string; text(): string | Promise<string> };
  /** What stands at further paths; absent: nothing does. */
  readonly beside?: Beside;
}

/** Routes that are served beside MCP, under the same names of this server. */
export interface Beside {
  find(path: string): Route | undefined;
  /** As `HttpServer.close`, of what it serves. */
  close(graceMs: number): Promise<void>;
}

export interface HttpServer {
  /** Where MCP is served. */
  readonly url: string;
  /** Accepts no more, lets running calls finish for `graceMs`, then ends what is left. */
  close(graceMs: number): Promise<void>;
}

/** A route answers a request whose Host and Origin were found good. */
export type Route = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

/**
 * Serves MCP at `/mcp` for clients of 2026-07-28 and 2025-11-25 alike, `/healthz` and `/metrics` beside it. It knows no callers. Rejects with the
 * system's error where the address cannot be bound.
 */
export async function serveOverHttp(source: ToolsetSource, options: HttpOptions): Promise<HttpServer> {
  const mcp = mountMcp(options.report);
  const view = { current: source.current, options };
  const unsubscribe = source.onChange(mcp.toolsChanged);
  const routes = new Map<string, { methods: readonly string[]; route: Route }>([
    ["/mcp", { methods: ["POST"], route: (request, response) => mcp.serve(request, response, view) }],
    ...metricsRoute(options.metrics),
    ["/healthz", { methods: ["GET", "HEAD"], route: (_, response) => answerJson(response, 200, health(source)) }],
  ]);
  const names = new Set([...LOOPBACK_NAMES, ...options.allowHosts.map((name) => hostName(name) ?? name)]);
  const server = createBoundServer((request, response) => {
    const refusal = checkHost(addressHeaders(request), names);
    if (refusal !== undefined) return answerFault(response, { status: 403, code: -32000, message: refusal });
    const [path = ""] = (request.url ?? "").split("?", 1);
    const found = routes.get(path);
    if (found === undefined) {
      const beside = options.beside?.find(path);
      return beside === undefined ? answerJson(response, 404, { error: "not_found" }) : void beside(request, response);
    }
    if (!found.methods.includes(request.method ?? "")) {
      const hasPage = path === "/mcp" && options.beside?.find("/") !== undefined;
      return answerMethod(response, found.methods, hasPage ? SEE_PAGE : "");
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
      unsubscribe();
      await Promise.all([mcp.close(graceMs), options.beside?.close(graceMs)]);
      server.closeAllConnections();
      await ended;
    },
  };
}

function metricsRoute(metrics: HttpOptions["metrics"]) {
  if (metrics === undefined) return [];
  const route: Route = (_, response) => answerMetrics(response, metrics);
  return [["/metrics", { methods: ["GET", "HEAD"], route }] as const];
}

function health(source: ToolsetSource): object {
  const { identity, tools } = source.current();
  return { status: "ok", server: identity.name, version: identity.version, tools: tools.length };
}
