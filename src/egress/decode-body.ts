import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createUnzip } from "node:zlib";
import { BodyTooLarge, UpstreamMalformed } from "../model/errors.ts";
import type { EgressRequest, RawAnswer } from "./egress.ts";
import { nameBodyFailure } from "./name-failure.ts";

const CHUNK = { chunkSize: 64 * 1024 };
const DECODERS: ReadonlyMap<string, () => NodeJS.ReadWriteStream & Readable> = new Map([
  ["gzip", () => createGunzip(CHUNK)],
  ["x-gzip", () => createGunzip(CHUNK)],
  ["br", () => createBrotliDecompress(CHUNK)],
  // Not asked for, and sent all the same.
  ["deflate", () => createUnzip(CHUNK)],
]);
/** What else packs a body: these of IANA's content codings, and some that are none of them. Any other word leaves the body as it is, as to a browser. */
const PACKED = /^(x-)?(compress|zstd|exi|pack200-gzip|aes128gcm|dcb|dcz|sdch|lz4|lzma|xz|bzip2?|bz2|snappy)$/;

/** The body with its encoding undone, chunk by chunk as it is asked for, never more than `maxBytes` decoded bytes. Errors: see `EgressReply`. */
export async function* decodeBody(request: EgressRequest, answer: RawAnswer): AsyncGenerator<Uint8Array, void, void> {
  let whole = false;
  let decoded = answer.body;
  try {
    if (!hasNoBody(request, answer)) decoded = undo(answer);
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
    whole = isEmpty(decoded, error) && !endsByClose(answer);
    if (whole) return;
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
    .filter((encoding) => DECODERS.has(encoding) || PACKED.test(encoding));
  const [encoding] = encodings;
  if (encoding === undefined) return answer.body;
  const decoder = DECODERS.get(encoding);
  if (encodings.length > 1 || decoder === undefined) {
    const told = `its Content-Encoding is ${encodings.slice(0, 3).join(", ").slice(0, 60)}, which was not asked for`;
    throw new UpstreamMalformed(`The body cannot be read: ${told}.`, { told });
  }
  return pipeline(answer.body, decoder(), () => {}) as Readable;
}

/** Many servers name an encoding over a body of no bytes, which is none of it. */
function isEmpty(decoded: RawAnswer["body"], error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return code === "Z_BUF_ERROR" && (decoded as { readonly bytesWritten?: number }).bytesWritten === 0;
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
