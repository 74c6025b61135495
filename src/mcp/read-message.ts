import type { IncomingMessage } from "node:http";
import {
  decodeMessage,
  joinPieces,
  MAX_MESSAGE_BYTES,
  type Message,
  parseMessage,
  refuseTooLarge,
} from "./parse-message.ts";

/** Reads the one JSON-RPC message of a request. Rejects where the client goes away meanwhile. */
export async function readMessage(request: IncomingMessage): Promise<Message> {
  const bytes = await readBytes(request);
  return bytes === undefined ? refuseTooLarge() : parseMessage(decodeMessage(bytes));
}

// A body over the bound is read to its end and dropped, so that the client sees the answer rather than a reset; far over it, the
// connection is not worth that. Not `for await`: leaving that loop early destroys the socket.
function readBytes(request: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.byteLength;
      if (bytes <= MAX_MESSAGE_BYTES) chunks.push(chunk);
      else if (bytes > 4 * MAX_MESSAGE_BYTES) resolve(undefined);
    });
    request.on("end", () => resolve(bytes > MAX_MESSAGE_BYTES ? undefined : joinPieces(chunks)));
    request.on("error", reject);
    request.on("close", () => {
      // Every request closes, and an error is dear.
      if (!request.readableEnded) reject(new Error("The client went away before its request was whole."));
    });
  });
}
