type CodePoints = readonly [first: number, last: number];

/**
 * What a person does not see: controls (but for tabs and line feeds), format characters (bidi, zero-width, tags), fillers, private use. Written out,
 * for what Unicode's own classes hold differs between the versions of the engine, and a lock has the same bytes in all of them.
 */
const HIDDEN_POINTS: readonly CodePoints[] = [
  [0x0, 0x8],
  [0xb, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x600, 0x605],
  [0x61c, 0x61c],
  [0x6dd, 0x6dd],
  [0x70f, 0x70f],
  [0x8e2, 0x8e2],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xe000, 0xf8ff],
  // The next one, U+FE0F, only makes an emoji of what is seen anyway.
  [0xfe00, 0xfe0e],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
  [0xf0000, 0x10ffff],
];

const HIDDEN = new RegExp(`[${HIDDEN_POINTS.map((ends) => ends.map(classEnd).join("-")).join("")}]`, "gu");

function classEnd(point: number): string {
  return `\\u{${point.toString(16)}}`;
}

/** JSON in which no such character stands by itself: it is escaped, so that who reads the file sees it. It parses to the same. */
export function escapeHidden(json: string): string {
  return json.replace(HIDDEN, (character) =>
    Array.from({ length: character.length }, (_, at) => `\\u${hex(character.charCodeAt(at))}`).join(""),
  );
}

/** Text in which each stands as its number; tabs and line feeds stay. */
export function showHidden(text: string): string {
  const plain = text.replaceAll("\r\n", "\n").replace(/\p{Cs}/gu, "\uFFFD");
  return plain.replace(HIDDEN, (character) => `\\u{${hex(character.codePointAt(0) ?? 0)}}`);
}

function hex(value: number): string {
  return value.toString(16).toUpperCase().padStart(4, "0");
}
