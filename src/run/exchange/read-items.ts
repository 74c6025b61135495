import type { TextDecoder } from "node:util";
import { BodyTooLarge, UpstreamMalformed, UpstreamUnreachable } from "../../model/errors.ts";
import type { ReplyBody } from "../../model/exchange.ts";
import type { Json } from "../../model/json.ts";
import { parseIfJson } from "./parse-if-json.ts";
import { createDecoder } from "./read-body.ts";
import { TimeIsUp } from "./start-clock.ts";

interface Sequence {
  /** What ends an item. */
  readonly end: RegExp;
  /** Undefined for what is no item, such as a comment. */
  readonly read: (item: string) => Json | undefined;
  readonly most: number;
  /** Of a stream that need never end. */
  readonly longestMs?: number;
}

const SEQUENCES: readonly (readonly [mediaType: RegExp, sequence: Sequence])[] = [
  [/^application\/(x-ndjson|ndjson|jsonl|x-jsonlines|jsonlines)$/, { end: /\n/g, read: readLine, most: 10_000 }],
  // RFC 7464: a record separator stands before each text.
  [/^application\/(json-seq|geo\+json-seq)$/, { end: /\u001e/g, read: readLine, most: 10_000 }],
  [/^text\/event-stream$/, { end: /\r\n\r\n|\n\r?\n|\r\r(?!\n)/g, read: readEvent, most: 1_000, longestMs: 10_000 }],
];

export function sequenceOf(mediaType: string): Sequence | undefined {
  return SEQUENCES.find(([fits]) => fits.test(mediaType))?.[1];
}

/**
 * Reads a sequence to its end or its bound: so many items, the bytes that an answer may have, or the time. What came before is then the list, and
 * `cut` says that there was more. `limit` sets a shorter time. Throws what reading throws where not one item has come.
 */
export async function readItems(
  sequence: Sequence,
  chunks: AsyncIterable<Uint8Array>,
  charset: string,
  limit: (ms: number) => void,
  onBytes: (bytes: number) => void,
): Promise<{ readonly body: Extract<ReplyBody, { kind: "json" }>; readonly bytes: number }> {
  if (sequence.longestMs !== undefined) limit(sequence.longestMs);
  const items: Json[] = [];
  let [bytes, cut, isReplaced] = [0, undefined as string | undefined, false];
  const noteReplaced = () => {
    isReplaced = true;
  };
  try {
    const counted = count(chunks, (length) => {
      bytes += length;
      onBytes(length);
    });
    for await (const text of splitTexts(decode(counted, charset, noteReplaced), sequence.end)) {
      const item = sequence.read(text);
      if (item !== undefined) items.push(item);
      if (items.length > sequence.most) break;
    }
  } catch (error) {
    cut = endedBy(error, sequence);
    if (cut === undefined || items.length === 0) throw error;
  }
  if (items.length > sequence.most) cut = `no more than ${sequence.most} are read`;
  const value = items.slice(0, sequence.most);
  const replaced = isReplaced ? ({ replaced: true } as const) : {};
  return { body: { kind: "json", value, ...(cut !== undefined && { cut }), ...replaced }, bytes };
}

async function* count(chunks: AsyncIterable<Uint8Array>, add: (bytes: number) => void) {
  for await (const chunk of chunks) {
    add(chunk.byteLength);
    yield chunk;
  }
}

/** The texts between the ends of items, the last one whether it has an end or not. */
async function* splitTexts(texts: AsyncIterable<string>, end: RegExp): AsyncGenerator<string, void, void> {
  let text = "";
  for await (const more of texts) {
    // What was looked through holds no end, but perhaps the beginning of one.
    let from = Math.max(0, text.length - LONGEST_END);
    text += more;
    for (let found = findFrom(end, text, from); found !== undefined; found = findFrom(end, text, from)) {
      yield text.slice(0, found.start);
      text = text.slice(found.end);
      from = 0;
    }
  }
  yield text;
}

async function* decode(chunks: AsyncIterable<Uint8Array>, charset: string, onReplaced: () => void) {
  const decoder = createDecoder(charset, false);
  const strict = createDecoder(charset, true);
  let isStrict = true;
  const read = (chunk: Uint8Array | undefined): string => {
    if (isStrict && !decodes(strict, chunk)) {
      isStrict = false;
      onReplaced();
    }
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
  };
  for await (const chunk of chunks) yield read(chunk);
  yield read(undefined);
}

function decodes(strict: TextDecoder, chunk: Uint8Array | undefined): boolean {
  try {
    strict.decode(chunk, { stream: chunk !== undefined });
    return true;
  } catch {
    return false;
  }
}

const LONGEST_END = 4;

function findFrom(end: RegExp, text: string, from: number): { start: number; end: number } | undefined {
  const pattern = new RegExp(end);
  pattern.lastIndex = from;
  const found = pattern.exec(text);
  return found === null ? undefined : { start: found.index, end: pattern.lastIndex };
}

/** Why a sequence came to an end before its own; undefined for what is no such end. */
function endedBy(error: unknown, { longestMs }: Sequence): string | undefined {
  if (error instanceof TimeIsUp) return "the time was up while more came";
  if (error instanceof BodyTooLarge) return `no more than ${error.limitBytes} bytes are read`;
  // A stream of events often ends so; whatever else breaks off is not whole, and may be asked for again.
  const isBroken = error instanceof UpstreamUnreachable || error instanceof UpstreamMalformed;
  return isBroken && longestMs !== undefined ? "the upstream broke off" : undefined;
}

function readLine(line: string): Json | undefined {
  const text = line.replace(/^\ufeff/, "").trim();
  return text === "" ? undefined : orText(parseIfJson(text, true), text);
}

/** One event of a stream (WHATWG HTML 9.2.6): its name, its ID, and its data, which is parsed where it is JSON. */
function readEvent(block: string): Json | undefined {
  const data: string[] = [];
  const fields = new Map<string, string>();
  for (const line of block.replace(/^\ufeff/, "").split(/\r\n|\n|\r/)) {
    const [, name = "", value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === "data") data.push(value);
    else if (name === "event" || name === "id") fields.set(name, value);
  }
  // An event without data is none (9.2.6, dispatch).
  if (data.length === 0) return undefined;
  const text = data.join("\n");
  return { ...Object.fromEntries(fields), data: orText(parseIfJson(text, false), text) };
}

function orText(parsed: Json | undefined, text: string): Json {
  return parsed === undefined ? text : parsed;
}
