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

/** The bytes from the first on that a JSON reader would not pass over. */
export function skipBlank(bytes: Uint8Array): Uint8Array {
  const json = skipMark(bytes);
  return json.subarray(skipSpace(json, 0));
}

/** Whether an object or a list begins with these bytes, of which the first is not blank, and no other charset; undefined where they are too few to tell. */
export function beginsJson(bytes: Uint8Array): boolean | undefined {
  const [first, second] = bytes;
  if (first === undefined || second === undefined || isMarkCut(bytes)) return undefined;
  return (first === OPEN_OBJECT || first === OPEN_LIST) && second !== 0;
}

function isMarkCut(bytes: Uint8Array): boolean {
  return bytes.length === 2 && bytes[0] === 0xef && bytes[1] === 0xbb;
}
