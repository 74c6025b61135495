import type { CountsName } from "./open-names.ts";
import {
  CLOSE_OBJECT,
  COMMA,
  INCOMPLETE,
  MALFORMED,
  OPEN_OBJECT,
  QUOTE,
  scanColon,
  scanString,
  scanValue,
  skipSpace,
  TOO_DEEP,
} from "./scan-value.ts";

/** Bytes of a body as pairs of where they begin and end. */
export type Spans = number[];

/**
 * As `scanValue`, for a row; adds the spans of what is kept of it: of an object the members that are, else all of it. Together they are JSON again.
 * Where the row does not end, nothing is added.
 */
export function keepMembers(bytes: Uint8Array, from: number, most: number, keeps: CountsName, spans: Spans): number {
  const before = spans.length;
  const start = skipSpace(bytes, from);
  const isObject = bytes[start] === OPEN_OBJECT;
  const end = isObject ? keepInside(bytes, start, most, keeps, spans) : scanValue(bytes, start, most);
  if (end < 0) spans.length = before;
  else if (!isObject) spans.push(start, end);
  return end;
}

function keepInside(bytes: Uint8Array, open: number, most: number, keeps: CountsName, spans: Spans): number {
  if (most < 1) return TOO_DEEP;
  spans.push(open, open + 1);
  let at = skipSpace(bytes, open + 1);
  if (bytes[at] === CLOSE_OBJECT) return close(at, spans);
  // The comma before a member goes along, but for the first that is kept.
  for (let [comma, isFirst] = [-1, true]; ; ) {
    if (at === bytes.length) return INCOMPLETE;
    if (bytes[at] !== QUOTE) return MALFORMED;
    const named = scanString(bytes, at);
    const value = named < 0 ? named : scanColon(bytes, named);
    const end = value < 0 ? value : scanValue(bytes, value, most - 1);
    if (end < 0) return end;
    if (keeps(bytes, at, named)) {
      addSpan(spans, isFirst ? at : comma, end);
      isFirst = false;
    }
    comma = skipSpace(bytes, end);
    if (comma === bytes.length) return INCOMPLETE;
    if (bytes[comma] === CLOSE_OBJECT) return close(comma, spans);
    if (bytes[comma] !== COMMA) return MALFORMED;
    at = skipSpace(bytes, comma + 1);
  }
}

function close(at: number, spans: Spans): number {
  addSpan(spans, at, at + 1);
  return at + 1;
}

/** Longer, where it begins at the end of the last one. */
function addSpan(spans: Spans, start: number, end: number): void {
  if (spans[spans.length - 1] === start) spans[spans.length - 1] = end;
  else spans.push(start, end);
}
