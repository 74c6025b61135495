import { clipCharacters, offsetOf } from "../clip-characters.ts";

/** A sentence longer than this is cut as well. */
const LONGEST_SENTENCE = 300;
/** A dot behind these ends no sentence, nor does one behind a single letter (an initial, `e.g.`, `U.S.`) … */
const ABBREVIATIONS = new Set("al cf co corp dept dr eq excl inc incl jr ltd mr mrs ms prof resp sr st vs".split(" "));
/** … nor behind these, where a number follows. */
const NUMBERED = new Set("approx art ca ch eq fig figs max min no nos p pp sec vol".split(" "));
const END = /[.!?…。！？]+["'”’»)\]]*(?=\s|$)|[。！？]|\n\s*\n|\n\s*(?=[-*•#]|\d+[.)]\s)/g;

/** The text cut to so many characters with `…` behind them, or to its first sentence; the text as it is where nothing is cut off. */
export function clipText(text: string, clip: number | "first-sentence"): string {
  if (clip !== "first-sentence") return clipCharacters(text, clip);
  const trimmed = text.trim();
  const sentence = trimmed.slice(0, findSentenceEnd(trimmed)).trim();
  const end = offsetOf(sentence, LONGEST_SENTENCE);
  if (end < sentence.length) return `${sentence.slice(0, end).trimEnd()}…`;
  return sentence === trimmed ? text : sentence.replace(/\s*\n\s*/g, " ");
}

function findSentenceEnd(text: string): number {
  for (const end of text.slice(0, 4 * LONGEST_SENTENCE).matchAll(END)) {
    const after = end.index + end[0].length;
    if (end[0].startsWith("\n") ? end.index > 0 : isEnd(text, end.index, end[0], after)) return after;
  }
  return text.length;
}

function isEnd(text: string, at: number, mark: string, after: number): boolean {
  if (!mark.startsWith(".")) return true;
  const next = text.slice(after).trimStart();
  // What goes on in lower case is the same sentence.
  if (mark !== "..." && /^\p{Ll}/u.test(next)) return false;
  const word = /(\p{L}+)$/u.exec(text.slice(Math.max(0, at - 20), at))?.[1] ?? "";
  const folded = word.toLowerCase();
  const isAbbreviated =
    word.length === 1 || ABBREVIATIONS.has(folded) || (NUMBERED.has(folded) && /^\p{N}/u.test(next));
  return next === "" || !isAbbreviated;
}
