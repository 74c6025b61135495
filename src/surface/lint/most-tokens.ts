/** What JSON has between its words, and so many tokens each where it stands alone. */
export const JOINTS: ReadonlyMap<string, number> = new Map([
  ...['"', '":"', '","', '":{"', '":["', '":', ',"', "{", '"}', ".", ",", "_", "-", "`", "(", ")."].map(
    (one) => [one, 1] as const,
  ),
  ...['"},"', '"],"', '"}},"'].map((one) => [one, 2] as const),
]);

/** A word, with the space before it; up to three digits; signs in a row, with theirs; what is beyond ASCII; any other character. */
const PIECES = / ?[A-Z]?[a-z]+|\d{1,3}| ?[!-/:-@[-`{-~]+|[^\p{ASCII}]+|./gsu;

/** Letters of a word that are one token at least, in whatever language; where letters stand by chance it may be half of them. */
const LETTERS = 4;

/**
 * No fewer tokens than a text of words has (o200k_base): of what is no word each byte may be one, as are those of most emoji and rare scripts. Cheap to
 * know, and for English half as many again.
 */
export function mostTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(PIECES)) tokens += tokensOf(piece);
  return tokens;
}

function tokensOf(piece: string): number {
  if (/[a-z]$/.test(piece)) return Math.ceil(piece.trimStart().length / LETTERS);
  return /^\d/.test(piece) ? 1 : (JOINTS.get(piece) ?? Buffer.byteLength(piece));
}
