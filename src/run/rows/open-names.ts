/** Whether the name that stands in quotes between these two is one that counts. */
export type CountsName = (bytes: Uint8Array, start: number, end: number) => boolean;

interface KnownName {
  readonly bytes: Uint8Array;
  readonly counts: boolean;
}

/** Whoever sends more different names than these, longer ones or more that look alike has no names but data, and to compare them takes longer than to ask. */
const MOST_KNOWN = 1_000;
const MOST_ALIKE = 8;
const LONGEST = 66;

/** A question about names, asked of their bytes: an answer is remembered, as nearly every row has the names of the one before. */
export function openNames(counts: (name: string) => boolean): CountsName {
  const byLook = new Map<number, readonly KnownName[]>();
  let known = 0;
  return (bytes, start, end) => {
    if (end - start > LONGEST) return ask(counts, bytes, start, end);
    const look = lookOf(bytes, start, end);
    const alike = byLook.get(look) ?? NONE;
    for (const one of alike) if (isAt(one.bytes, bytes, start)) return one.counts;
    const isOne = ask(counts, bytes, start, end);
    if (known === MOST_KNOWN || alike.length === MOST_ALIKE) return isOne;
    known += 1;
    byLook.set(look, [...alike, { bytes: bytes.slice(start, end), counts: isOne }]);
    return isOne;
  };
}

const decoder = new TextDecoder();

function ask(counts: (name: string) => boolean, bytes: Uint8Array, start: number, end: number): boolean {
  return counts(JSON.parse(decoder.decode(bytes.subarray(start, end))) as string);
}

const NONE: readonly KnownName[] = [];

/** Its length, and its first and its last byte. */
function lookOf(bytes: Uint8Array, start: number, end: number): number {
  return ((end - start) << 16) | (bytes[start + 1]! << 8) | bytes[end - 2]!;
}

/** From behind, as many names begin alike. */
function isAt(name: Uint8Array, bytes: Uint8Array, start: number): boolean {
  for (let index = name.length - 1; index >= 0; index -= 1) if (name[index] !== bytes[start + index]) return false;
  return true;
}
