import type { IncomingMessage, ServerResponse } from "node:http";
import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { MODERN } from "./known-envelope.ts";
import type { Ordinary } from "./read-ordinary.ts";

const JSON_TYPES = new Set(
  ["", "; charset=utf-8", ";charset=utf-8", "; charset=UTF-8", ";charset=UTF-8"].map(
    (more) => `application/json${more}`,
  ),
);
const BEFORE: ReadonlySet<string> = new Set(SUPPORTED_PROTOCOL_VERSIONS.filter((version) => version < MODERN));

/** Whether all that HTTP says of an ordinary request agrees with it, and the exchange is as most are (MCP 2026-07-28, Streamable HTTP, headers). */
export function fitsHeaders(request: IncomingMessage, response: ServerResponse, ordinary: Ordinary): boolean {
  const { method, headers, httpVersion, url = "" } = request;
  if (method !== "POST" || httpVersion !== "1.1" || !response.shouldKeepAlive || response.destroyed) return false;
  if (!JSON_TYPES.has(headers["content-type"] ?? "") || !isPlace(headers.host, url)) return false;
  const version = headers["mcp-protocol-version"];
  if (ordinary.capabilities === undefined) return acceptsBoth(headers.accept) && isBefore(version);
  if (version !== MODERN || headers["mcp-method"] !== ordinary.method) return false;
  return ordinary.method === "tools/list" || headers["mcp-name"] === ordinary.name;
}

/** Of 2025-11-25: the client must read either form of an answer. */
function acceptsBoth(accept = ""): boolean {
  return accept.includes("application/json") && accept.includes("text/event-stream");
}

function isBefore(version: string | string[] | undefined): boolean {
  return version === undefined || (typeof version === "string" && BEFORE.has(version));
}

let goodHost: string | undefined;

/** The SDK makes a URL of it. A server has one name, mostly. */
function isPlace(host: string | undefined, url: string): boolean {
  if (host === undefined || !/^\/[\w./~-]*$/.test(url)) return false;
  if (host === goodHost) return true;
  if (!/^[\w.:[\]-]+$/.test(host) || !URL.canParse(`http://${host}`)) return false;
  goodHost = host;
  return true;
}
