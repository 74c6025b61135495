import type { EgressReply } from "../../egress/open-egress.ts";
import type { UpstreamReply } from "../../model/exchange.ts";
import { readRows } from "../rows/read-rows.ts";
import type { WantRows } from "../rows/rows-wanted.ts";
import { essence, type IsFree, isPlainJson, readBody, statedCharset } from "./read-body.ts";
import { readItems, sequenceOf } from "./read-items.ts";

export interface ReadingReply {
  /** Sets a shorter time for what need not end. */
  readonly limit?: (ms: number) => void;
  /** Hears of bytes as they come. */
  readonly onBytes?: (bytes: number) => void;
  /** Of a large JSON body nothing but this is needed. */
  readonly rows?: WantRows;
  /** As `SecretHider.isFree`. */
  readonly isFree?: IsFree;
}

/**
 * Reads an answer (see `readBody`): whole, but for a sequence (lines of JSON, server-sent events), which is a list that is read to a bound, and for a
 * large JSON body of which some rows are wanted. Throws what reading the body throws, and ToolError `upstream_bad_response` for JSON that is nested too
 * deep.
 */
export async function readReply(reply: EgressReply, reading: ReadingReply = {}): Promise<UpstreamReply> {
  const { limit = () => {}, onBytes = () => {}, rows, isFree } = reading;
  const { status, headers } = reply;
  const contentType = headers.get("content-type") ?? "";
  const sequence = sequenceOf(essence(contentType));
  if (sequence !== undefined && status < 300) {
    const charset = statedCharset(contentType) ?? "utf-8";
    const { body, bytes } = await readItems(sequence, reply.body, charset, limit, onBytes);
    return { status, headers, bytes, body: bytes === 0 ? { kind: "empty" } : body };
  }
  if (rows !== undefined && status < 300 && isPlainJson(contentType))
    return { status, headers, ...(await readRows(reply, rows, onBytes, isFree)) };
  const chunks: Uint8Array[] = [];
  for await (const chunk of reply.body) {
    chunks.push(chunk);
    onBytes(chunk.byteLength);
  }
  const bytes = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
  return { status, headers, bytes: bytes.byteLength, body: readBody(bytes, contentType, isFree) };
}
