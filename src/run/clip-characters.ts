/** The first `most` characters (code points) and `…`, or the text as it is where it is no longer than that. */
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

/** Where in UTF-16 the first `characters` code points end; never inside a surrogate pair. */
export function offsetOf(text: string, characters: number): number {
  if (text.length <= characters) return text.length;
  let offset = 0;
  for (let seen = 0; seen < characters && offset < text.length; seen += 1)
    offset += text.codePointAt(offset)! > 0xffff ? 2 : 1;
  return offset;
}
