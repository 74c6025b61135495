import { asSentence, firstSentence, plainText } from "../../compile/words/plain-text.ts";
import { capitalize } from "../../model/capitalize.ts";

/** Characters; what is longer is told by nobody in one breath. */
const LONGEST = 180;

/** The first sentence of a document's prose, as an agent can be shown it; empty where there is none. */
export function saySentence(text: string | undefined, longest = LONGEST): string {
  // Backticks in a curation's text name tools of its own.
  const plain = plainText(text ?? "")
    .replaceAll("`", "")
    // What links to nowhere, and what asks nobody for anything.
    .replace(/(?<![\w\]])\[([^\][]+)\]\[[^\][]*\]/g, "$1")
    .replace(/^\(?(optional|required)\b[.:)]*\s*/i, "")
    .replace(/ +([.,;:])(?=\s|$)/g, "$1");
  const sentence = firstSentence(plain.replace(/\b(e\.g|i\.e|etc|vs|cf)\.(?=\s)/gi, "$1")).trim();
  if (sentence === "" || /^[.!?…]+$/.test(sentence)) return "";
  return asSentence(capitalize(sentence.length > longest ? cutAtWord(sentence, longest) : sentence));
}

function cutAtWord(text: string, longest: number): string {
  const cut = text.slice(0, longest);
  const end = Math.max(cut.lastIndexOf(", "), cut.lastIndexOf("; "), cut.lastIndexOf(" ("), cut.lastIndexOf(": "));
  return (end > longest / 3 ? cut.slice(0, end) : cut.slice(0, cut.lastIndexOf(" "))).replace(/[\s,;:(]+$/, "");
}
