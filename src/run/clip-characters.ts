/** The first `most` characters (code points, none of one that joins several in part) and `…`, or the text as it is where it is no longer than that. */
export function clipCharacters(text: string, most: number): string {
  const end = offsetOf(text, most);
  return end === text.length ? text : `${text.slice(0, end)}…`;
}

/** Code points: what a person would count, but for joined ones. A lone surrogate counts as one. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/**
 * Where in UTF-16 the first `characters` code points end; never inside a surrogate pair, and before what a person sees as one character (UAX 29 3)
 * rather than inside it, unless nothing would be left.
 */
export function offsetOf(text: string, characters: number): number {
  if (text.length <= characters) return text.length;
  let offset = 0;
  for (let seen = 0; seen < characters && offset < text.length; seen += 1)
    offset += text.codePointAt(offset)! > 0xffff ? 2 : 1;
  return isPlain(text, offset) ? offset : beginOf(text, offset);
}

/** Below U+0300 nothing joins with what stands beside it, but for a line's end of two characters. */
function isPlain(text: string, offset: number): boolean {
  if (offset === 0 || offset >= text.length) return true;
  const after = text.charCodeAt(offset);
  return after < 0x300 && text.charCodeAt(offset - 1) < 0x300 && after !== 0x0a;
}

/** Code units to both sides: what takes more of them is no character that anybody reads. */
const NEAR = 64;
let segmenter: Intl.Segmenter | undefined;

function beginOf(text: string, offset: number): number {
  segmenter ??= new Intl.Segmenter("und");
  const from = Math.max(0, offset - NEAR);
  const found = segmenter.segment(text.slice(from, offset + NEAR)).containing(offset - from);
  const begin = from + (found?.index ?? 0);
  // At the beginning of what was looked at it may have begun before.
  if (found !== undefined && (begin > from || (from > 0 && begin === offset))) return begin;
  return withoutJoiner(text, offset);
}

/** A joiner at the end would join what is put behind it. */
function withoutJoiner(text: string, offset: number): number {
  return offset > 1 && text[offset - 1] === "\u200d" ? offset - 1 : offset;
}
