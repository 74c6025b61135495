import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip } from "node:zlib";
import { BodyTooLarge, UpstreamMalformed } from "../model/errors.ts";
import type { EgressRequest, RawAnswer } from "./egress.ts";
import { nameFailure } from "./name-failure.ts";

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
    throw request.signal.aborted ? request.signal.reason : nameFailure(error, new URL(request.url).host);
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
    throw new UpstreamMalformed(
      `The body's Content-Encoding is not one that was asked for: ${encodings.slice(0, 3).join(", ").slice(0, 60)}.`,
    );
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
