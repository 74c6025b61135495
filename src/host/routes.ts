import type { IncomingMessage, ServerResponse } from "node:http";
import { answerFault, answerJson } from "../mcp/answer-fault.ts";
import { addressHeaders, checkHost } from "../mcp/check-host.ts";
import { isNear } from "./is-near.ts";
import { isServerName } from "./read-host-values.ts";

type Answer = (response: ServerResponse) => void | Promise<void>;
type Route = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

export interface Routes {
  /** The Host names that are served, for what a web page must not reach under another name. */
  names(): ReadonlySet<string>;
  mcp(name: string, request: IncomingMessage, response: ServerResponse): Promise<void>;
  resource(name: string, response: ServerResponse): void;
  readonly health: Answer;
  readonly ready: Answer;
  readonly metrics?: Answer;
}

const MCP = /^\/mcp\/([^/]+)$/;
const RESOURCE = /^\/\.well-known\/oauth-protected-resource\/mcp\/([^/]+)$/;

/** What answers a request. Whoever looks after the process asks by its address, so what they ask for is answered under other Hosts too. */
export function findRoute(routes: Routes, request: IncomingMessage): Route {
  const { url = "" } = request;
  const [path = ""] = url.split("?", 1);
  const server = serverIn(path, MCP);
  if (server !== undefined)
    return guarded(routes, ["POST"], (request, response) => routes.mcp(server, request, response));
  const described = serverIn(path, RESOURCE);
  if (described !== undefined) return guarded(routes, READS, (_, response) => routes.resource(described, response));
  if (path === "/healthz") return only(READS, (_, response) => routes.health(response));
  if (path === "/readyz") return only(READS, (_, response) => routes.ready(response));
  const { metrics } = routes;
  if (path === "/metrics" && metrics !== undefined && isNear(request))
    return only(READS, (_, response) => metrics(response));
  return (_, response) => answerJson(response, 404, { error: "not_found" });
}

function serverIn(path: string, pattern: RegExp): string | undefined {
  const [, name = ""] = pattern.exec(path) ?? [];
  return isServerName(name) ? name : undefined;
}

const READS = ["GET", "HEAD"];

function guarded(routes: Routes, methods: readonly string[], route: Route): Route {
  return (request, response) => {
    const refusal = checkHost(addressHeaders(request), routes.names());
    if (refusal !== undefined) return answerFault(response, { status: 403, code: -32000, message: refusal });
    return only(methods, route)(request, response);
  };
}

function only(methods: readonly string[], route: Route): Route {
  return (request, response) => {
    if (methods.includes(request.method ?? "")) return route(request, response);
    response.setHeader("allow", methods.join(", "));
    return answerFault(response, { status: 405, code: -32000, message: "Method not allowed." });
  };
}
