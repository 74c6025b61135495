import { createHash } from "node:crypto";
import type { UpstreamRequest } from "../../model/exchange.ts";

/** A digest of a planned request, all of it but its credentials and its idempotency key, which are laid on later. Equal requests have equal ones. */
export function digestRequest({ operation, method, url, headers, body }: UpstreamRequest): string {
  const boundary = boundaryOf(headers);
  const plain = headers.map(([name, value]) => [name, withoutBoundary(value, boundary)]).sort();
  const hash = createHash("sha256").update(JSON.stringify([operation, method, url, plain, typeof body]));
  if (body !== undefined) hash.update(typeof body === "string" ? body : bytesWithout(body, boundary));
  return hash.digest("base64url");
}

/** That of several, in their order. */
export function digestTexts(texts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(texts)).digest("base64url");
}

/** Of a multipart body, which is another one each time. */
function boundaryOf(headers: UpstreamRequest["headers"]): string | undefined {
  const type = headers.find(([name]) => name === "content-type")?.[1] ?? "";
  return /^multipart\/.*;\s*boundary=([\w-]+)$/i.exec(type)?.[1];
}

function withoutBoundary(text: string, boundary: string | undefined): string {
  return boundary === undefined ? text : text.replaceAll(boundary, "");
}

function bytesWithout(body: Uint8Array, boundary: string | undefined): Buffer {
  return Buffer.from(withoutBoundary(Buffer.from(body).toString("latin1"), boundary), "latin1");
}
