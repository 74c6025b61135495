import { plainText } from "./plain-text.ts";

/** Of a text that is longer the end is never shown, and reading it would cost. */
const LONGEST_READ = 8_000;

/** Prose of a spec on one line, without markup and hidden characters, cut at a sentence's end within `most` characters, else at a word's. */
export function clipWords(text: string, most: number): string {
  const plain = plainText(text.slice(0, LONGEST_READ));
  if (plain.length <= most) return plain;
  const head = plain.slice(0, most);
  const sentence = head.match(/^.*[.!?](?=\s)/)?.[0];
  if (sentence !== undefined && sentence.length >= most / 4) return sentence;
  return `${head.slice(0, Math.max(head.lastIndexOf(" ", most - 1), 1)).replace(/[\s,;:(]+$/, "")}…`;
}
