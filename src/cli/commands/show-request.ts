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
    return JSON.parse(body) as Json;
  } catch {
    return body;
  }
}
