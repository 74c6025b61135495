/** Why a scan ended before its value did: more bytes are needed, no JSON can begin like this, or it is nested deeper than is read. */
export const INCOMPLETE = -1;
export const MALFORMED = -2;
export const TOO_DEEP = -3;

export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const OPEN_LIST = 0x5b;
export const CLOSE_LIST = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

/** Of brackets; what is nested deeper is not read. */
export const MOST_DEPTH = 256;
/** Of each bracket that is open whether it is that of an object; a scan never waits, so that one is enough for all. */
const isObject = new Uint8Array(MOST_DEPTH + 1);

/**
 * Where the JSON value that begins at `from` (whitespace before it aside) has ended, as RFC 8259 and `JSON.parse` read it, but for a number that the
 * bytes end with; else `INCOMPLETE`, `MALFORMED`, or `TOO_DEEP` where brackets are nested deeper than `most` levels (256 at most). Nothing is made of it.
 */
export function scanValue(bytes: Uint8Array, from: number, most: number): number {
  // What stands outside of a function is read from memory anew for every byte.
  const quote = 0x22;
  const backslash = 0x5c;
  const space = 0x20;
  const comma = 0x2c;
  const openObject = 0x7b;
  const closeObject = 0x7d;
  const openList = 0x5b;
  const closeList = 0x5d;
  const end = bytes.length;
  let at = from;
  let depth = 0;
  let inObject = 0;
  let isName = 0;
  for (;;) {
    at = skipSpace(bytes, at);
    if (at === end) return INCOMPLETE;
    const byte = bytes[at]!;
    if (byte === quote) {
      // By hand, and not by `scanString`: whatever is called for each string makes all of this half as fast.
      at += 1;
      for (; at < end; at += 1) {
        const inside = bytes[at]!;
        if (inside === quote || inside === backslash || inside < space) break;
      }
      at = at < end && bytes[at] === quote ? at + 1 : scanString(bytes, at - 1);
      if (at < 0) return at;
      if (isName === 1) {
        at = scanColon(bytes, at);
        if (at < 0) return at;
        isName = 0;
        continue;
      }
    } else if (isName === 1) return MALFORMED;
    else if (byte === openObject || byte === openList) {
      depth += 1;
      if (depth > most) return TOO_DEEP;
      inObject = byte === openObject ? 1 : 0;
      isObject[depth] = inObject;
      at = skipSpace(bytes, at + 1);
      if (at === end) return INCOMPLETE;
      if (bytes[at] !== (inObject === 1 ? closeObject : closeList)) {
        isName = inObject;
        continue;
      }
      depth -= 1;
      inObject = isObject[depth]!;
      at += 1;
    } else {
      at = scanScalar(bytes, at);
      if (at < 0) return at;
    }
    // What stands behind a value: the end of what it is in, once or more often, then a comma.
    for (;;) {
      if (depth === 0) return at;
      at = skipSpace(bytes, at);
      if (at === end) return INCOMPLETE;
      const next = bytes[at]!;
      at += 1;
      if (next === comma) break;
      if (next !== (inObject === 1 ? closeObject : closeList)) return MALFORMED;
      depth -= 1;
      inObject = isObject[depth]!;
    }
    isName = inObject;
  }
}

/** Behind the colon that follows a name. */
export function scanColon(bytes: Uint8Array, from: number): number {
  const at = skipSpace(bytes, from);
  if (at === bytes.length) return INCOMPLETE;
  return bytes[at] === COLON ? at + 1 : MALFORMED;
}

/** Nearly always there is none. */
export function skipSpace(bytes: Uint8Array, from: number): number {
  return from < bytes.length && bytes[from]! <= 0x20 ? skipMore(bytes, from) : from;
}

const SPACE = 0x20;

function skipMore(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at]!;
    if (byte !== SPACE && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return at;
  }
  return bytes.length;
}

/** Where the string that opens at `from`, or goes on behind it, has ended. Bytes that are no UTF-8 are no fault: they are replaced when they are decoded. */
export function scanString(bytes: Uint8Array, from: number): number {
  for (let at = from + 1; at < bytes.length; at += 1) {
    const byte = bytes[at]!;
    if (byte === QUOTE) return at + 1;
    if (byte < SPACE) return MALFORMED;
    if (byte === BACKSLASH) at = scanEscape(bytes, at);
    if (at < 0) return at;
  }
  return INCOMPLETE;
}

const ESCAPED = new Set([...'"\\/bfnrt'].map((character) => character.charCodeAt(0)));
const LETTER_U = 0x75;

/** The last byte of the escape that begins at `at`. */
function scanEscape(bytes: Uint8Array, at: number): number {
  const escaped = bytes[at + 1];
  if (escaped === undefined) return INCOMPLETE;
  if (escaped !== LETTER_U) return ESCAPED.has(escaped) ? at + 1 : MALFORMED;
  for (let digit = at + 2; digit < at + 6; digit += 1) {
    const byte = bytes[digit];
    if (byte === undefined) return INCOMPLETE;
    if (!isHex(byte)) return MALFORMED;
  }
  return at + 5;
}

function isHex(byte: number): boolean {
  return isDigit(byte) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

const [TRUE, FALSE, NULL] = ["true", "false", "null"].map((word) => new TextEncoder().encode(word));

function scanScalar(bytes: Uint8Array, from: number): number {
  switch (bytes[from]) {
    case 0x74:
      return scanWord(bytes, from, TRUE!);
    case 0x66:
      return scanWord(bytes, from, FALSE!);
    case 0x6e:
      return scanWord(bytes, from, NULL!);
    default:
      return scanNumber(bytes, from);
  }
}

function scanWord(bytes: Uint8Array, from: number, word: Uint8Array): number {
  for (let index = 1; index < word.length; index += 1) {
    if (from + index === bytes.length) return INCOMPLETE;
    if (bytes[from + index] !== word[index]) return MALFORMED;
  }
  return from + word.length;
}

const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const ZERO = 0x30;

/** RFC 8259 6. Digits may go on behind the bytes, so one that ends with them is not complete. */
function scanNumber(bytes: Uint8Array, from: number): number {
  const first = bytes[from] === MINUS ? from + 1 : from;
  let at = bytes[first] === ZERO ? first + 1 : scanDigits(bytes, first);
  if (at >= 0 && bytes[at] === POINT) at = scanDigits(bytes, at + 1);
  if (at >= 0 && (bytes[at] === 0x65 || bytes[at] === 0x45)) {
    const sign = bytes[at + 1];
    at = scanDigits(bytes, sign === PLUS || sign === MINUS ? at + 2 : at + 1);
  }
  return at === bytes.length ? INCOMPLETE : at;
}

/** One digit at least. */
function scanDigits(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && isDigit(bytes[at]!)) at += 1;
  if (at >= bytes.length) return INCOMPLETE;
  return at === from ? MALFORMED : at;
}
