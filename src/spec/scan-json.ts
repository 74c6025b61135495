import { MAX_DEPTH } from "./check-bounds.ts";

/** Where a JSON value stands in the bytes, `end` excluded. An object near the root has its members, in order. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly members?: readonly Member[];
}

export interface Member {
  /** The key with its quotes. */
  readonly key: Span;
  readonly value: Span;
}

/**
 * Finds the members of the objects down to so many `levels`, without parsing what is in them, in one pass over UTF-8 bytes. Undefined where the
 * text is not an object, is deeper than `MAX_DEPTH`, or shows on the way that it is no JSON; the rest is found when a span is parsed.
 */
export function scanJson(bytes: Uint8Array, levels: number): Span | undefined {
  const start = skipSpace(bytes, bytes[0] === 0xef ? 3 : 0);
  const root = bytes[start] === OPEN_BRACE ? scanObject(bytes, start, levels, MAX_DEPTH) : undefined;
  return root !== undefined && skipSpace(bytes, root.end) === bytes.length ? root : undefined;
}

const [QUOTE, BACKSLASH, OPEN_BRACE, CLOSE_BRACE, COLON, COMMA, SPACE] = [0x22, 0x5c, 0x7b, 0x7d, 0x3a, 0x2c, 0x20];

function scanObject(bytes: Uint8Array, start: number, levels: number, room: number): Span | undefined {
  const members: Member[] = [];
  let at = skipSpace(bytes, start + 1);
  if (bytes[at] === CLOSE_BRACE) return { start, end: at + 1, members };
  for (; ; at = skipSpace(bytes, at + 1)) {
    if (bytes[at] !== QUOTE) return undefined;
    const key = { start: at, end: endOfString(bytes, at) };
    const colon = skipSpace(bytes, key.end);
    if (bytes[colon] !== COLON) return undefined;
    const value = scanValue(bytes, skipSpace(bytes, colon + 1), levels - 1, room - 1);
    if (value === undefined) return undefined;
    members.push({ key, value });
    at = skipSpace(bytes, value.end);
    if (bytes[at] === CLOSE_BRACE) return { start, end: at + 1, members };
    if (bytes[at] !== COMMA) return undefined;
  }
}

function scanValue(bytes: Uint8Array, start: number, levels: number, room: number): Span | undefined {
  if (levels > 0 && bytes[start] === OPEN_BRACE) return scanObject(bytes, start, levels, room);
  const end = bytes[start] === QUOTE ? endOfString(bytes, start) : endOfValue(bytes, start, room);
  return end > start ? { start, end } : undefined;
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

/** The end of an array, an object, a number or a word; -1 where there is none. */
function endOfValue(bytes: Uint8Array, start: number, room: number): number {
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
