import { OPEN_LIST, OPEN_OBJECT, skipSpace } from "./scan-value.ts";

/** Not a Buffer: a slice of one would hold all of it. */
export function joinBytes(chunks: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(chunks.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const chunk of chunks) {
    joined.set(chunk, at);
    at += chunk.byteLength;
  }
  return joined;
}

/** Without the byte order mark that some servers write before UTF-8. */
export function skipMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

/** Whether an object or a list begins here, and no other charset. */
export function beginsJson(bytes: Uint8Array): boolean {
  const json = skipMark(bytes);
  const [first, second] = [json[skipSpace(json, 0)], json[skipSpace(json, 0) + 1]];
  return (first === OPEN_OBJECT || first === OPEN_LIST) && second !== 0;
}
