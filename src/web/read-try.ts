import type { IncomingMessage } from "node:http";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import type { TryRequest } from "./page-data.ts";
import { PageRefusal } from "./page-refusal.ts";

const MOST_BYTES = 256_000;

/** Reads what is to be tried. Throws `PageRefusal`; rejects with the system's error where the sender goes away. */
export async function readTry(request: IncomingMessage): Promise<TryRequest> {
  // A form of another site can send every other type without being asked whether it may (Fetch Standard, CORS-safelisted request-header).
  if (!/^application\/json(?:\s*;\s*charset="?utf-8"?)?\s*$/i.test(request.headers["content-type"] ?? ""))
    throw new PageRefusal(415, "unsupported_type", "A trial is sent as application/json.");
  const asked = parse(await readBounded(request));
  const { tool, arguments: args = {} } = asked;
  if (typeof tool !== "string" || tool.length > 128 || !isJsonObject(args))
    throw new PageRefusal(400, "invalid_request", "A trial names a `tool`, and its `arguments` are an object.");
  return { tool, arguments: args };
}

async function readBounded(request: IncomingMessage): Promise<Buffer> {
  const tooLarge = new PageRefusal(413, "too_large", `A trial has at most ${MOST_BYTES} bytes.`);
  if (Number(request.headers["content-length"] ?? 0) > MOST_BYTES) throw tooLarge;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes > MOST_BYTES) throw tooLarge;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parse(body: Buffer): JsonObject {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
    if (isJsonObject(value)) return value;
  } catch {}
  throw new PageRefusal(400, "invalid_json", "What was sent is no JSON object.");
}
