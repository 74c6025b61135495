import type { Attributes } from "@opentelemetry/api";
import {
  BodyTooLarge,
  DestinationBlocked,
  ToolError,
  UpstreamMalformed,
  UpstreamUnreachable,
} from "../../model/errors.ts";
import type { RunEvent, UpstreamRequest } from "../../model/exchange.ts";

/** RFC 9110 9, RFC 5789 and QUERY: of others the conventions say only that they are. */
const METHODS: ReadonlySet<string> = new Set([
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "DELETE",
  "CONNECT",
  "OPTIONS",
  "TRACE",
  "PATCH",
  "QUERY",
]);
const OTHER = "_OTHER";

/** What is known of a request before it is sent (Semantic conventions for HTTP, client). Few values each: metrics have them too. */
export function requestAttributes({ method, url }: UpstreamRequest): Attributes {
  return { "http.request.method": methodOf(method), ...originAttributes(url) };
}

/** By what stands before the path: no caller chooses it, so there are few. */
const ORIGINS = new Map<string, Attributes>();
const MOST_ORIGINS = 100;

function originAttributes(url: string): Attributes {
  // Behind the two slashes of its scheme.
  const end = url.slice(8).search(/[/?#]/);
  const origin = end === -1 ? url : url.slice(0, 8 + end);
  const known = ORIGINS.get(origin);
  if (known !== undefined) return known;
  const { hostname, port, protocol } = new URL(url);
  const read = {
    "server.address": hostname.replace(/^\[|\]$/g, ""),
    "server.port": Number(port) || (protocol === "https:" ? 443 : 80),
    "url.scheme": protocol.slice(0, -1),
  };
  if (ORIGINS.size < MOST_ORIGINS) ORIGINS.set(origin, read);
  return read;
}

/**
 * The path as the API's document has it. `url.full`, which the conventions ask for, is left out: what stands in path and query is what the caller sent,
 * or a credential.
 */
export function templateOf({ operation }: UpstreamRequest): string {
  return operation.slice(operation.indexOf(" ") + 1);
}

export function requestName(request: UpstreamRequest): string {
  const method = methodOf(request.method);
  return `${method === OTHER ? "HTTP" : method} ${templateOf(request)}`;
}

/** How it ended. A status from 400 on is an error for who asked. */
export function outcomeAttributes(event: Exclude<RunEvent, { type: "request" }>): Attributes {
  if (event.type === "failure") return { "error.type": causeOf(event.error) };
  const { status } = event.reply;
  return { "http.response.status_code": status, ...(status >= 400 && { "error.type": String(status) }) };
}

function methodOf(method: string): string {
  return METHODS.has(method) ? method : OTHER;
}

/** A word of few, never the error's own: that may say what was sent. */
function causeOf(error: unknown): string {
  if (error instanceof UpstreamUnreachable) return error.reason;
  if (error instanceof DestinationBlocked) return "destination_blocked";
  if (error instanceof BodyTooLarge) return "response_too_large";
  if (error instanceof UpstreamMalformed) return "bad_response";
  if (error instanceof ToolError) return error.code;
  if (error instanceof Error && "code" in error && error.code === "TIME_IS_UP") return "timeout";
  return error instanceof Error && error.name === "AbortError" ? "cancelled" : OTHER;
}
