import { sample, stringMatching } from "fast-check";
import type { Dice } from "./dice.ts";

/** What a text is for: not every place of a request can hold every text. */
export type TextPlace = "path" | "query" | "header" | "cookie" | "body";

export interface TextRules {
  readonly format?: string | undefined;
  readonly patterns: readonly string[];
  readonly minLength: number;
  readonly maxLength: number;
}

const WORDS: Readonly<Record<TextPlace, readonly string[]>> = {
  path: ["alpha", "beta-2", "a b", "ünï", "x:y", "50%"],
  query: ["alpha", "beta 2", "naïve & co", "x=1;y", "100%", "a/b?c#d", "q+r", "ünï"],
  header: ["alpha", "beta-2", "gamma.3"],
  cookie: ["alpha", "beta2"],
  body: ["alpha", "beta 2", "naïve & co", 'say "hi"', "100%", "two\nlines", "q+r=s", "ünï"],
};

const FORMATS: Readonly<Record<string, readonly string[]>> = {
  date: ["2026-03-14", "2024-02-29"],
  "date-time": ["2026-03-14T09:26:53Z", "2026-12-31T23:59:59.123+02:00"],
  time: ["09:26:53Z"],
  duration: ["P3D", "PT4H30M"],
  email: ["ada@example.com"],
  "idn-email": ["ada@example.com"],
  hostname: ["host.example.com"],
  "idn-hostname": ["host.example.com"],
  ipv4: ["192.0.2.7"],
  ipv6: ["2001:db8::7"],
  ip: ["192.0.2.7"],
  uri: ["https://example.com/a?b=c"],
  url: ["https://example.com/a?b=c"],
  "uri-reference": ["/a/b?c=d"],
  "uri-template": ["https://example.com/{id}"],
  iri: ["https://example.com/a"],
  uuid: ["123e4567-e89b-42d3-a456-426614174000", "9b2d3f60-52e5-4b52-a4cc-3d0b1f6a9f11"],
  guid: ["123e4567-e89b-42d3-a456-426614174000"],
  regex: ["^a+$"],
  byte: ["aGVsbG8h", "AAEC"],
  base64: ["aGVsbG8h"],
  base64url: ["aGVsbG8h"],
  "json-pointer": ["/a/b"],
  "relative-json-pointer": ["0/a"],
  int64: ["42"],
  int32: ["42"],
  decimal: ["12.5"],
  binary: ["plain file content"],
};

/** A text by the rules; undefined where none was found. */
export function drawText(rules: TextRules, place: TextPlace, dice: Dice): string | undefined {
  if (rules.patterns.length > 0) return drawMatching(rules, place, dice);
  const formatted = FORMATS[rules.format ?? ""]?.filter((text) => isInside(text, rules)) ?? [];
  if (formatted.length > 0) return dice.pick(formatted);
  const word = dice.pick(WORDS[place]);
  if (isInside(word, rules)) return word;
  const plain = "abcdefgh".repeat(Math.ceil(Math.max(rules.minLength, 8) / 8));
  return plain.slice(0, Math.min(rules.maxLength, Math.max(rules.minLength, 1)));
}

function drawMatching(rules: TextRules, place: TextPlace, dice: Dice): string | undefined {
  const known = [...(FORMATS[rules.format ?? ""] ?? []), ...COMMON, ...WORDS[place]];
  try {
    const tests = rules.patterns.map((one) => compile(one));
    const fits = (text: string) =>
      tests.every((test) => test.test(text)) && isInside(text, rules) && canStand(text, place);
    const formatted = (FORMATS[rules.format ?? ""] ?? []).filter(fits);
    if (formatted.length > 0) return dice.pick(formatted);
    for (let tries = 0; tries < 3; tries += 1) {
      const drawn = sample(stringMatching(tests[0]!), { seed: dice.seed(), numRuns: 20 }).filter(fits);
      const readable = drawn.filter((text) => /^[\x20-\x7e]*$/.test(text));
      if (readable.length > 0) return dice.pick(readable);
      if (drawn.length > 0 && place !== "header") return dice.pick(drawn);
    }
    return [...known, ...["a", "1", "A", "ab-"].map((one) => one.repeat(rules.minLength))].find(fits);
  } catch {
    // Lookaround and the like cannot be drawn from; a common text may fit all the same.
    return known.find((text) => isInside(text, rules) && rules.patterns.every((one) => matches(one, text)));
  }
}

const COMMON = [
  "a",
  "A",
  "1",
  "12",
  "123",
  "2026",
  "abc",
  "abcdef",
  "ABC",
  "a1",
  "a-b",
  "00:00",
  "12:30",
  "en",
  "US",
  "*",
  "0.5",
  "1.5",
  "/a",
  "https://example.com",
  "+15551234567",
];

/** Also the inline flag at the start that other dialects know. */
function compile(written: string): RegExp {
  const pattern = written.replace(/^\(\?i\)/, "");
  try {
    return new RegExp(pattern, "u");
  } catch {
    return new RegExp(pattern);
  }
}

function matches(pattern: string, text: string): boolean {
  try {
    return compile(pattern).test(text);
  } catch {
    return true;
  }
}

function isInside(text: string, { minLength, maxLength }: TextRules): boolean {
  const length = [...text].length;
  return length >= minLength && length <= maxLength;
}

function canStand(text: string, place: TextPlace): boolean {
  if (place === "path") return !/^(|\.|\.\.)$/.test(text) && !/[/\\]/.test(text) && !hasLoneSurrogate(text);
  if (place === "header" || place === "cookie") return /^[\x21-\x7e]+$/.test(text) && !/[,;]/.test(text);
  return !hasLoneSurrogate(text);
}

function hasLoneSurrogate(text: string): boolean {
  return /\p{Surrogate}/u.test(text);
}
