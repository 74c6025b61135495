/** Stands for what no example can be made up for: a name, an ID. */
const ANY_TEXT = "…";
const LONGEST = 80;

interface Scan {
  readonly pattern: string;
  at: number;
}

/**
 * A text that a pattern matches, for a person to read: `#42` for `^#?(\d+)$`, `https://x.org/tasks/…` for an address. Undefined where the
 * pattern is not plain enough, or all of the text would be anything.
 */
export function samplePattern(pattern: string): string | undefined {
  const scan: Scan = { pattern, at: 0 };
  const sample = sampleAlternatives(scan);
  if (sample === undefined || scan.at < pattern.length || sample.length > LONGEST) return undefined;
  const joined = sample.replace(/…+/g, ANY_TEXT);
  return /[A-Za-z0-9]/.test(joined) ? joined : undefined;
}

/** The first of them; the others only have to be read. */
function sampleAlternatives(scan: Scan): string | undefined {
  const first = sampleSequence(scan);
  while (scan.pattern[scan.at] === "|") {
    scan.at += 1;
    if (sampleSequence(scan) === undefined) return undefined;
  }
  return first;
}

function sampleSequence(scan: Scan): string | undefined {
  let text = "";
  while (scan.at < scan.pattern.length && !"|)".includes(scan.pattern[scan.at]!)) {
    const isGroup = scan.pattern[scan.at] === "(";
    const atom = sampleAtom(scan);
    if (atom === undefined) return undefined;
    text += repeat(atom, isGroup, scan);
  }
  return text;
}

const DIGITS = "1234567890";

/** What a quantifier makes of it; a group that may be left out is. */
function repeat(atom: string, isGroup: boolean, scan: Scan): string {
  const [found = "", , least] = /^(\?|\*|\+|\{(\d+)(?:,\d*)?\})\??/.exec(scan.pattern.slice(scan.at)) ?? [];
  scan.at += found.length;
  if (found === "") return atom;
  // Without what may be there, `n:.*` and an address would look cut.
  if (found.startsWith("*")) return atom === ANY_TEXT && !isGroup ? ANY_TEXT : "";
  if (found.startsWith("?") && isGroup) return "";
  if (atom === "1") return found.startsWith("{") ? DIGITS.slice(0, Number(least)) : found.startsWith("?") ? "1" : "42";
  return found.startsWith("{") && atom !== ANY_TEXT ? atom.repeat(Math.min(Number(least), LONGEST)) : atom;
}

function sampleAtom(scan: Scan): string | undefined {
  const rest = scan.pattern.slice(scan.at);
  const [char = ""] = rest;
  if (char === "(") return sampleGroup(scan);
  const [found = char] = /^(?:\\[\s\S]|\[\^?\]?(?:\\[\s\S]|[^\]\\])*\])/.exec(rest) ?? [];
  scan.at += found.length;
  if (char === "[") return sampleClass(found);
  if (char === "\\") return sampleEscape(found);
  if (char === "^" || char === "$") return "";
  return char === "." ? ANY_TEXT : char;
}

function sampleGroup(scan: Scan): string | undefined {
  const [head = ""] = /^\((?:\?(?::|P?<\w+>|[a-z]+[:)]))?/.exec(scan.pattern.slice(scan.at)) ?? [];
  scan.at += head.length;
  // `(?i)` holds nothing.
  if (head.endsWith(")")) return "";
  const inner = sampleAlternatives(scan);
  if (inner === undefined || scan.pattern[scan.at] !== ")") return undefined;
  scan.at += 1;
  return inner;
}

function sampleClass(text: string): string {
  return text === "[0-9]" || text === "[\\d]" ? "1" : ANY_TEXT;
}

/** `\d`, what stands for many characters, a mere border, or the character itself. */
function sampleEscape(escaped: string): string | undefined {
  const [, char = ""] = escaped;
  if (char === "d") return "1";
  if ("wWDSs".includes(char)) return ANY_TEXT;
  if ("bBAz".includes(char)) return "";
  return /[^A-Za-z0-9]/.test(char) ? char : undefined;
}
