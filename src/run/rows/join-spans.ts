import type { Spans } from "./keep-members.ts";
import { CLOSE_LIST, COMMA, OPEN_LIST } from "./scan-value.ts";

/** A comma that stands nowhere in the bytes. */
export const A_COMMA = -1;

/** Calling into Node to copy takes as long as so many bytes by hand. */
const FEW = 48;

/** The list whose items are these spans of the bytes; several where it would have more than so many bytes and one item. */
export function joinSpans(bytes: Uint8Array, spans: Readonly<Spans>, most = Number.POSITIVE_INFINITY): Uint8Array[] {
  const lists: Uint8Array[] = [];
  let [first, length] = [0, 0];
  for (let index = 0; index < spans.length; index += 2) {
    const isComma = spans[index] === A_COMMA;
    if (isComma && length >= most) {
      lists.push(joinOne(bytes, spans, first, index, length));
      [first, length] = [index + 2, 0];
    } else length += isComma ? 1 : spans[index + 1]! - spans[index]!;
  }
  return [...lists, joinOne(bytes, spans, first, spans.length, length)];
}

function joinOne(bytes: Uint8Array, spans: Readonly<Spans>, first: number, end: number, sum: number): Uint8Array {
  const list = new Uint8Array(sum + 2);
  list[0] = OPEN_LIST;
  let length = 1;
  for (let index = first; index < end; index += 2) {
    const [from, to] = [spans[index]!, spans[index + 1]!];
    if (from === A_COMMA) {
      list[length] = COMMA;
      length += 1;
      continue;
    }
    if (to - from > FEW) list.set(bytes.subarray(from, to), length);
    else for (let at = from; at < to; at += 1) list[length + at - from] = bytes[at]!;
    length += to - from;
  }
  list[length] = CLOSE_LIST;
  return list;
}
