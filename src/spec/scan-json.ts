import { MAX_DEPTH } from "./check-bounds.ts";

/** Where a JSON value stands in the bytes, `end` excluded. An object near the root has a count of its members, and the large ones in order. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly count?: number;
  readonly large?: readonly Member[];
}

/** The value of a member; its key stands at `keyStart` to `keyEnd`, with its quotes. */
export interface Member extends Span {
  readonly keyStart: number;
  readonly keyEnd: number;
}

/** How far down objects are looked into (the document itself is the first level), and from how many bytes on a value is large. */
export interface ScanDepth {
  readonly levels: number;
  readonly large: number;
}

/**
 * Finds the members of the objects near the root, without parsing what is in them, in one pass over UTF-8 bytes. Undefined where the text is not
 * an object, is deeper than `MAX_DEPTH`, or shows on the way that it is no JSON; the rest is found when a span is parsed.
 */
export function scanJson(bytes: Uint8Array, depth: ScanDepth): Span | undefined {
  const start = skipSpace(bytes, bytes[0] === 0xef ? 3 : 0);
  const root = bytes[start] === OPEN_BRACE ? scanObject(bytes, start, depth.levels, depth.large, MAX_DEPTH) : undefined;
  return root !== undefined && skipSpace(bytes, root.end) === bytes.length ? root : undefined;
}

const [QUOTE, BACKSLASH, OPEN_BRACE, CLOSE_BRACE, COLON, COMMA, SPACE] = [0x22, 0x5c, 0x7b, 0x7d, 0x3a, 0x2c, 0x20];

function scanObject(bytes: Uint8Array, start: number, levels: number, least: number, room: number): Span | undefined {
  const large: Member[] = [];
  let at = skipSpace(bytes, start + 1);
  if (bytes[at] === CLOSE_BRACE) return { start, end: at + 1, count: 0, large };
  for (let count = 1; ; count++, at = skipSpace(bytes, at + 1)) {
    if (bytes[at] !== QUOTE) return undefined;
    const keyStart = at;
    const keyEnd = endOfString(bytes, at);
    const colon = skipSpace(bytes, keyEnd);
    if (bytes[colon] !== COLON) return undefined;
    at = skipSpace(bytes, colon + 1);
    const isNear = levels > 1 && bytes[at] === OPEN_BRACE;
    const inner = isNear ? scanObject(bytes, at, levels - 1, least, room - 1) : undefined;
    const end = isNear ? (inner?.end ?? -1) : endOfValue(bytes, at, room - 1);
    if (end <= at) return undefined;
    // The small ones are parsed with the object that they stand in.
    if (end - at >= least) large.push({ keyStart, keyEnd, start: at, end, ...inner });
    at = skipSpace(bytes, end);
    if (bytes[at] === CLOSE_BRACE) return { start, end: at + 1, count, large };
    if (bytes[at] !== COMMA) return undefined;
  }
}

// What a byte outside of strings does; by a table, as this is asked of every byte of the document.
const [PLAIN, STRING, OPEN, CLOSE, NEXT, FOREIGN] = [0, 1, 2, 3, 4, 5];
const KINDS = new Uint8Array(256).fill(FOREIGN);
for (const [kind, characters] of [
  [PLAIN, " \t\r\n:0123456789+-.eEtrufalsn"],
  [STRING, '"'],
  [OPEN, "{["],
  [CLOSE, "}]"],
  [NEXT, ","],
] as const) {
  for (const character of characters) KINDS[character.charCodeAt(0)] = kind;
}

/** The end of a value; -1 where there is none. */
function endOfValue(bytes: Uint8Array, start: number, room: number): number {
  if (bytes[start] === QUOTE) return endOfString(bytes, start);
  let depth = 0;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at]!;
    // Half of a document that is indented.
    if (byte === SPACE) continue;
    const kind = KINDS[byte];
    if (kind === PLAIN) continue;
    if (kind === STRING) at = endOfString(bytes, at) - 1;
    else if (kind === OPEN) depth++;
    else if (depth === 0) return kind === FOREIGN ? -1 : at;
    else if (kind === CLOSE && --depth === 0) return at + 1;
    else if (kind === FOREIGN) return -1;
    if (depth > room) return -1;
  }
  return -1;
}

/** Behind the closing quote; the end of the bytes where there is none. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  for (; at < bytes.length && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++;
  return at + 1;
}

function skipSpace(bytes: Uint8Array, start: number): number {
  let at = start;
  while (bytes[at] === SPACE || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at++;
  return at;
}
