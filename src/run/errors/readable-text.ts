import { clipCharacters } from "../clip-characters.ts";

/** Looked at where a text may be megabytes and little is shown. */
const MOST_READ = 20_000;
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["#39", "'"],
  ["nbsp", " "],
]);

/**
 * A short text for an agent to read, out of whatever an upstream sent: HTML reduced to its title and words, what cannot be seen taken
 * out (control, format, private and unassigned characters, tags, direction marks), spaces joined, cut to so many characters.
 */
export function readableText(text: string, most: number): string {
  const start = text.slice(0, MOST_READ);
  const words = /<(!doctype html|html|head|body)\b/i.test(start) ? wordsOfHtml(start) : start;
  return clipCharacters(stripInvisible(words).replace(/\s+/g, " ").trim(), most);
}

/** Without characters that a reader cannot see; the joiner stays between the parts of an emoji. */
export function stripInvisible(text: string): string {
  return text
    .replace(
      /(?<!\p{Extended_Pictographic}\u{FE0F}?|\p{Emoji_Modifier})\u200D|\u200D(?!\p{Extended_Pictographic})/gu,
      "",
    )
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}]/gu, (one) =>
      one === "\n" || one === "\t" || one === "\u200D" ? one : "",
    );
}

function wordsOfHtml(html: string): string {
  const title = /<title[^>]*>([^<]*)/i.exec(html)?.[1]?.trim() ?? "";
  const body = html
    .replace(/<(script|style|title|noscript|svg)\b[\s\S]*?(<\/\1\s*>|$)/gi, " ")
    .replace(/<!--[\s\S]*?(-->|$)/g, " ")
    .replace(/<[^>]*(>|$)/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  const words = title === "" || body.startsWith(title) ? body : `${title}: ${body}`;
  return words.replace(/&(#39|[a-z]+);/gi, (whole, name: string) => ENTITIES.get(name.toLowerCase()) ?? whole);
}
