/**
 * Characters that a person does not see and a model does read: controls, format characters (zero-width, bidi, tags), private use,
 * unassigned, lone surrogates, and the variation selectors that can spell out bytes. A joiner inside an emoji stays.
 */
const HIDDEN =
  /(?<!\p{Extended_Pictographic}\uFE0F?\p{Emoji_Modifier}?)\u200D|\u200D(?!\p{Extended_Pictographic})|(?!\u200D)[\p{Cf}\p{Co}\p{Cn}\p{Cs}]|[\uFE00-\uFE0E\u{E0100}-\u{E01EF}]/gu;
const CONTROLS = /(?![\t\n])\p{Cc}/gu;

/** The text without what is hidden in it; line ends become `\n`. */
export function stripHidden(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(CONTROLS, "").replace(HIDDEN, "");
}

/** Nothing is hidden in it. */
export function isPlain(text: string): boolean {
  return stripHidden(text) === text;
}

/** Prose of a spec on one line: nothing hidden, no HTML, no Markdown but code. What is left of a torn tag is no tag any more. */
export function plainText(text: string): string {
  return stripHidden(readReferences(withoutMarkdown(stripHidden(text)).replace(TAGS, " ")))
    .replace(/<(?=[A-Za-z/!?])/g, "< ")
    .replace(/\s+/g, " ")
    .trim();
}

const TAGS = /<!--[\s\S]*?(-->|$)|<\/?[A-Za-z][^<>]*>/g;

/** Those that prose is written with (WHATWG HTML 13.5); any other stays as it is. */
const REFERENCES: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["nbsp", " "],
  ["ndash", "–"],
  ["mdash", "—"],
  ["hellip", "…"],
  ["lsquo", "‘"],
  ["rsquo", "’"],
  ["ldquo", "“"],
  ["rdquo", "”"],
  ["bull", "•"],
  ["copy", "©"],
  ["reg", "®"],
  ["trade", "™"],
  ["times", "×"],
]);

/** Character references as the characters that they stand for, once: `&amp;lt;` is the text `&lt;`. */
function readReferences(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z]{2,6}));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return REFERENCES.get(name) ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** The first sentence, whole. */
export function firstSentence(text: string): string {
  return /^[\s\S]*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text;
}

/** Ends as a sentence does. */
export function asSentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?…:]["')`]?$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

/** Headings, rules, quotes, the bars of notes, links and emphasis. Code stays, for its backticks tell names from prose. */
function withoutMarkdown(text: string): string {
  return text
    .replace(/^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?)+/gm, "")
    .replace(/^[ \t]*(?:[-*_][ \t]*){3,}$/gm, "")
    .replace(/!?\[([^[\]]*)\]\([^()\s]*(?:[ \t]+"[^"]*")?\)/g, "$1")
    .split(/(`[^`]*`)/)
    .map((part, at) => (at % 2 === 1 ? part : part.replace(EMPHASIS, "$2")))
    .join("");
}

/** Marks that stand at a word's beginning and, the same, at a word's end: not those inside `snake_case` or `2 * 3`. */
const EMPHASIS = /(?<![\p{L}\p{N}*_])(\*{1,3}|_{1,3})(?=[^\s*_])([^`\n]{0,300}?[^\s*_])\1(?![\p{L}\p{N}*_])/gu;
