import type { Attributes } from "@opentelemetry/api";
import {
  BodyTooLarge,
  DestinationBlocked,
  ToolError,
  UpstreamMalformed,
  UpstreamUnreachable,
} from "../../model/errors.ts";
import type { RunEvent, UpstreamRequest } from "../../model/exchange.ts";
import type { SharedAttributes } from "./make-span.ts";

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

export interface DescribedRequest {
  /** The same for the same attributes. */
  readonly key: string;
  /** Of its span. */
  readonly name: string;
  /** What is known before it is sent (Semantic conventions for HTTP, client). Few values each: metrics have them too. */
  readonly attributes: Attributes;
  /** The path as the API's document has it. `url.full`, which the conventions ask for, is left out: what stands in path and query is what the caller sent, or a credential. */
  readonly template: string;
  /** All that a span tells of one that was answered when it was sent first, by status. */
  readonly answered: Map<number, SharedAttributes>;
}

interface KnownRequest extends DescribedRequest {
  readonly method: string;
  /** What stands before the path. */
  readonly origin: string;
}

/** By operation, and for each by where it is sent: no caller chooses that, so there are few. */
const KNOWN = new Map<string, readonly KnownRequest[]>();
const MOST_OPERATIONS = 10_000;
const MOST_ORIGINS = 10;

/** Made once for all requests of an operation to one origin. */
export function describeRequest({ operation, method, url }: UpstreamRequest): DescribedRequest {
  const ofOperation = KNOWN.get(operation) ?? [];
  const known = ofOperation.find((one) => one.method === method && isAt(url, one.origin));
  if (known !== undefined) return known;
  const made = describe(operation, method, url);
  if (KNOWN.size < MOST_OPERATIONS && ofOperation.length < MOST_ORIGINS) KNOWN.set(operation, [...ofOperation, made]);
  return made;
}

function isAt(url: string, origin: string): boolean {
  return url.startsWith(origin) && (url.length === origin.length || "/?#".includes(url.charAt(origin.length)));
}

function describe(operation: string, method: string, url: string): KnownRequest {
  // Behind the two slashes of its scheme.
  const end = url.slice(8).search(/[/?#]/);
  const { hostname, port, protocol } = new URL(url);
  const template = operation.slice(operation.indexOf(" ") + 1);
  const known = METHODS.has(method) ? method : OTHER;
  return {
    key: `${known} ${protocol}//${hostname}:${port}`,
    name: `${known === OTHER ? "HTTP" : known} ${template}`,
    attributes: {
      "http.request.method": known,
      "server.address": hostname.replace(/^\[|\]$/g, ""),
      "server.port": Number(port) || (protocol === "https:" ? 443 : 80),
      "url.scheme": protocol.slice(0, -1),
    },
    template,
    answered: new Map(),
    method,
    origin: end === -1 ? url : url.slice(0, 8 + end),
  };
}

type Ended = Exclude<RunEvent, { type: "request" }>;

/** All that a span tells of a request that has ended. `times` it was sent. */
export function requestAttributes(described: DescribedRequest, event: Ended, times: number): SharedAttributes {
  if (event.type === "failure" || times > 1) return putTogether(described, outcomeAttributes(event), times);
  const { status } = event.reply;
  const known = described.answered.get(status);
  if (known !== undefined) return known;
  const attributes = putTogether(described, outcomeAttributes(event), times);
  described.answered.set(status, attributes);
  return attributes;
}

/** Of one whose end nobody hears. */
export function cancelledAttributes(described: DescribedRequest, times: number): SharedAttributes {
  return putTogether(described, { "error.type": "cancelled" }, times);
}

function putTogether({ attributes, template }: DescribedRequest, outcome: Attributes, times: number): SharedAttributes {
  const resent = times > 1 && { "http.request.resend_count": times - 1 };
  return { attributes: { ...attributes, ...outcome, "url.template": template, ...resent } };
}

/** How it ended. A status from 400 on is an error for who asked. */
export function outcomeAttributes(event: Ended): Attributes {
  if (event.type === "failure") return { "error.type": causeOf(event.error) };
  const { status } = event.reply;
  if (status < 400) return { "http.response.status_code": status };
  return { "http.response.status_code": status, "error.type": String(status) };
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
