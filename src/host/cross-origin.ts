import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressHeaders } from "../mcp/check-host.ts";

/** What a page may read of an answer, beside its body. */
const EXPOSED = "WWW-Authenticate, Retry-After, X-Request-Id, Mcp-Protocol-Version, Mcp-Session-Id";
const METHODS = "GET, POST";
/** What MCP's clients send, and trace context; everything that begins with Mcp- is the protocol's. */
const SENT =
  /^(?:authorization|content-type|accept|last-event-id|traceparent|tracestate|baggage|mcp-[a-z0-9-]{1,100})$/;
const KEPT_S = 600;

/** The origin of the page that asks, where it is one of those that the host file names: exactly, with scheme and port. */
export function pageOrigin({ origins }: AddressHeaders, named: ReadonlySet<string>): string | undefined {
  const [origin = "", ...further] = origins;
  return further.length === 0 && named.has(origin) ? origin : undefined;
}

/**
 * Lets a page of this origin read the answer (Fetch Standard, CORS protocol). Never with cookies: who calls is said by a header alone. True where the
 * request only asked whether another may be sent, and is answered.
 */
export function allowPage(origin: string, request: IncomingMessage, response: ServerResponse): boolean {
  response.setHeader("access-control-allow-origin", origin);
  response.setHeader("access-control-expose-headers", EXPOSED);
  response.appendHeader("vary", "Origin");
  if (request.method !== "OPTIONS" || request.headers["access-control-request-method"] === undefined) return false;
  const asked = String(request.headers["access-control-request-headers"] ?? "");
  const sent = asked.split(",").map((name) => name.trim().toLowerCase());
  response.setHeader("access-control-allow-methods", METHODS);
  response.setHeader("access-control-allow-headers", sent.filter((name) => SENT.test(name)).join(", "));
  response.setHeader("access-control-max-age", KEPT_S);
  response.appendHeader("vary", "Access-Control-Request-Headers");
  response.writeHead(204).end();
  return true;
}
