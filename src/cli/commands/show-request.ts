import type { UpstreamRequest } from "../../model/exchange.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import type { SecretHider } from "../../run/hide-secrets.ts";

/** A request for a person's eyes, its secrets hidden. */
export function showRequest(request: UpstreamRequest, hider: SecretHider): JsonObject {
  return hider.json({
    operation: request.operation,
    method: request.method,
    url: request.url,
    headers: Object.fromEntries(request.headers),
    ...(request.body !== undefined && { body: showBody(request.body) }),
  });
}

function showBody(body: string | Uint8Array): Json {
  if (typeof body !== "string") return `${body.byteLength} bytes`;
  try {
    return JSON.parse(body.replace(STRING_OR_NUMBER, quoteUnsafe)) as Json;
  } catch {
    return body;
  }
}

const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** An integer beyond 2^53 is shown by its digits, as those of an answer are. */
function quoteUnsafe(token: string): string {
  return /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token;
}
