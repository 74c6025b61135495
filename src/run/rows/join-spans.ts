import { CLOSE_LIST, COMMA, OPEN_LIST } from "./scan-value.ts";

/** A comma that stands nowhere in the bytes. */
export const A_COMMA = -1;

/** Calling into Node to copy takes as long as so many bytes by hand. */
const FEW = 48;

/** The list whose items are these spans of the bytes. */
export function joinSpans(bytes: Uint8Array, spans: readonly number[]): Uint8Array {
  const list = new Uint8Array(measure(spans) + 2);
  list[0] = OPEN_LIST;
  let length = 1;
  for (let index = 0; index < spans.length; index += 2) {
    const [start, end] = [spans[index]!, spans[index + 1]!];
    if (start === A_COMMA) {
      list[length] = COMMA;
      length += 1;
      continue;
    }
    if (end - start > FEW) list.set(bytes.subarray(start, end), length);
    else for (let at = start; at < end; at += 1) list[length + at - start] = bytes[at]!;
    length += end - start;
  }
  list[length] = CLOSE_LIST;
  return list;
}

function measure(spans: readonly number[]): number {
  let sum = 0;
  for (let index = 0; index < spans.length; index += 2)
    sum += spans[index] === A_COMMA ? 1 : spans[index + 1]! - spans[index]!;
  return sum;
}
