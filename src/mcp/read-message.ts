import type { IncomingMessage } from "node:http";
import { ProtocolErrorCode } from "@modelcontextprotocol/server";

/** The most that one request may carry, in bytes. */
export const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

export type Message =
  | { readonly kind: "message"; readonly body: object }
  | { readonly kind: "refused"; readonly status: number; readonly code: number; readonly message: string };

/** Reads the one JSON-RPC message of a request; batches ended with 2025-03-26. Rejects where the client goes away meanwhile. */
export async function readMessage(request: IncomingMessage): Promise<Message> {
  const text = await readText(request);
  if (text === undefined) return refused(413, -32000, `A request may carry ${MAX_MESSAGE_BYTES} bytes.`);
  const body = parse(text);
  if (Array.isArray(body)) return refused(400, ProtocolErrorCode.InvalidRequest, "Batches are not supported.");
  if (typeof body === "object" && body !== null) return { kind: "message", body };
  return body === undefined
    ? refused(400, ProtocolErrorCode.ParseError, "Parse error: the body is not JSON.")
    : refused(400, ProtocolErrorCode.InvalidRequest, "The body is not a JSON-RPC message.");
}

function refused(status: number, code: number, message: string): Message {
  return { kind: "refused", status, code, message };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// A body over the bound is read to its end and dropped, so that the client sees the answer rather than a reset; far over it, the
// connection is not worth that. Not `for await`: leaving that loop early destroys the socket.
function readText(request: IncomingMessage): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.byteLength;
      if (bytes <= MAX_MESSAGE_BYTES) chunks.push(chunk);
      else if (bytes > 4 * MAX_MESSAGE_BYTES) resolve(undefined);
    });
    request.on("end", () => resolve(bytes > MAX_MESSAGE_BYTES ? undefined : Buffer.concat(chunks).toString("utf8")));
    request.on("error", reject);
    request.on("close", () => reject(new Error("The client went away before its request was whole.")));
  });
}
