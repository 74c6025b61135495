import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip } from "node:zlib";
import { BodyTooLarge, UpstreamMalformed } from "../model/errors.ts";
import type { EgressRequest, RawAnswer } from "./egress.ts";
import { nameBodyFailure } from "./name-failure.ts";

const CHUNK = { chunkSize: 64 * 1024 };
const DECODERS: ReadonlyMap<string, () => NodeJS.ReadWriteStream & Readable> = new Map([
  ["gzip", () => createGunzip(CHUNK)],
  ["x-gzip", () => createGunzip(CHUNK)],
  ["br", () => createBrotliDecompress(CHUNK)],
]);

/** The body with its encoding undone, chunk by chunk as it is asked for, never more than `maxBytes` decoded bytes. Errors: see `EgressReply`. */
export async function* decodeBody(request: EgressRequest, answer: RawAnswer): AsyncGenerator<Uint8Array, void, void> {
  let whole = false;
  try {
    const decoded = hasNoBody(request, answer) ? answer.body : undo(answer);
    checkStatedLength(decoded === answer.body, request, answer);
    let bytes = 0;
    for await (const chunk of decoded) {
      bytes += chunk.byteLength;
      if (bytes > request.maxBytes) throw new BodyTooLarge(request.maxBytes);
      yield chunk;
    }
    whole = true;
  } catch (error) {
    if (request.signal.aborted) throw request.signal.reason;
    // RFC 9112 6.3: such an answer is whole with its head, whatever its Content-Length says.
    if (!hasNoBody(request, answer)) throw nameBodyFailure(error, new URL(request.url).host, endsByClose(answer));
  } finally {
    answer.done(whole);
  }
}

function undo(answer: RawAnswer): AsyncIterable<Uint8Array> {
  const encodings = (answer.headers.get("content-encoding") ?? "")
    .split(",")
    .map((encoding) => encoding.trim().toLowerCase())
    .filter((encoding) => encoding !== "" && encoding !== "identity");
  const [encoding] = encodings;
  if (encoding === undefined) return answer.body;
  const decoder = DECODERS.get(encoding);
  if (encodings.length > 1 || decoder === undefined) {
    const told = `its Content-Encoding is ${encodings.slice(0, 3).join(", ").slice(0, 60)}, which was not asked for`;
    throw new UpstreamMalformed(`The body cannot be read: ${told}.`, { told });
  }
  return pipeline(answer.body, decoder(), () => {}) as Readable;
}

function checkStatedLength(plain: boolean, request: EgressRequest, answer: RawAnswer): void {
  const stated = Number(answer.headers.get("content-length") ?? 0);
  if (plain && request.method !== "HEAD" && stated > request.maxBytes) throw new BodyTooLarge(request.maxBytes);
}

function hasNoBody(request: EgressRequest, answer: RawAnswer): boolean {
  return request.method === "HEAD" || answer.status === 204 || answer.status === 304;
}

/** RFC 9112 6.3, rule 8. */
function endsByClose({ headers }: RawAnswer): boolean {
  return !headers.has("content-length") && !headers.has("transfer-encoding");
}
