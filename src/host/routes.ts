import type { IncomingMessage, ServerResponse } from "node:http";
import { answerFault, answerJson, answerMethod } from "../mcp/answer-fault.ts";
import { addressHeaders, checkHost } from "../mcp/check-host.ts";
import type { PagePart } from "../web/serve-page.ts";
import { allowPage, pageOrigin } from "./cross-origin.ts";
import { isNear } from "./is-near.ts";
import { isServerName } from "./read-host-values.ts";

type Answer = (response: ServerResponse) => void | Promise<void>;
type Route = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

export interface Routes {
  /** The Host names that are served, for what a web page must not reach under another name. */
  names(): ReadonlySet<string>;
  /** The origins of others whose pages may ask, likewise. */
  origins(): ReadonlySet<string>;
  mcp(name: string, request: IncomingMessage, response: ServerResponse): Promise<void>;
  resource(name: string, response: ServerResponse): void;
  readonly health: Answer;
  readonly ready: Answer;
  readonly metrics?: Answer;
  /** The page; absent: there is none. */
  readonly page?: {
    has(path: string): boolean;
    file(path: string, request: IncomingMessage, response: ServerResponse): Promise<void>;
    part(name: string, part: PagePart, request: IncomingMessage, response: ServerResponse): Promise<void>;
  };
}

const MCP = /^\/mcp\/([^/]+)$/;
const RESOURCE = /^\/\.well-known\/oauth-protected-resource\/mcp\/([^/]+)$/;

/** What answers a request. Whoever looks after the process asks by its address, so what they ask for is answered under other Hosts too. */
export function findRoute(routes: Routes, request: IncomingMessage): Route {
  const { url = "" } = request;
  const [path = ""] = url.split("?", 1);
  const server = serverIn(path, MCP);
  // Also to a GET a stranger is told that this is no place for strangers: clients look that way for how to log in (RFC 9728).
  if (server !== undefined) return guarded(routes, (request, response) => routes.mcp(server, request, response));
  const described = serverIn(path, RESOURCE);
  if (described !== undefined)
    return guarded(
      routes,
      only(READS, (_, response) => routes.resource(described, response)),
    );
  if (path === "/healthz") return only(READS, (_, response) => routes.health(response));
  if (path === "/readyz") return only(READS, (_, response) => routes.ready(response));
  const { metrics } = routes;
  if (path === "/metrics" && metrics !== undefined && isNear(request))
    return only(READS, (_, response) => metrics(response));
  return pageRoute(routes, path) ?? ((_, response) => answerJson(response, 404, { error: "not_found" }));
}

const PAGE = /^\/page\/api\/([^/]+)\/(data|try|changes)$/;

/** Other origins have no part in the page, whatever they may ask over MCP. */
function pageRoute(routes: Routes, path: string): Route | undefined {
  const { page } = routes;
  if (page === undefined) return undefined;
  if (page.has(path)) return owned(routes, (request, response) => page.file(path, request, response));
  const [, name = "", part] = PAGE.exec(path) ?? [];
  if (!isServerName(name)) return undefined;
  return owned(routes, (request, response) => page.part(name, part as PagePart, request, response));
}

function serverIn(path: string, pattern: RegExp): string | undefined {
  const [, name = ""] = pattern.exec(path) ?? [];
  return isServerName(name) ? name : undefined;
}

const READS = ["GET", "HEAD"];

function guarded(routes: Routes, route: Route): Route {
  return (request, response) => {
    const headers = addressHeaders(request);
    const origin = pageOrigin(headers, routes.origins());
    const refusal = checkHost(origin === undefined ? headers : { ...headers, origins: [] }, routes.names());
    if (refusal !== undefined) return answerFault(response, { status: 403, code: -32000, message: refusal });
    if (origin !== undefined && allowPage(origin, request, response)) return undefined;
    return route(request, response);
  };
}

function owned(routes: Routes, route: Route): Route {
  return (request, response) => {
    const refusal = checkHost(addressHeaders(request), routes.names());
    if (refusal !== undefined) return answerFault(response, { status: 403, code: -32000, message: refusal });
    return route(request, response);
  };
}

function only(methods: readonly string[], route: Route): Route {
  return (request, response) =>
    methods.includes(request.method ?? "") ? route(request, response) : answerMethod(response, methods);
}
