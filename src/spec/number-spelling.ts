// A JavaScript number holds integers up to 2^53. Larger literals are numbers in the parsed document all the same, and their digits are kept aside
// by the object or list that holds them, for where a schema means an exact one.

/** Stands before the digits while the text is parsed. No document holds it by accident. */
const MARK = "\u0000integer:";
const DIGITS = /\d{16,}/g;
/** Only where a caller could meet the value; bounds such as `maximum: 9223372036854775807` are not worth a second look at the document. */
const BEFORE = /(?:\b(?:default|const)["']?\s*:|[[,]|(?:^|\n)\s*-)\s*[-+]?$/;
const AFTER = /^\s*(?:[,\]}#]|\n|$)/;
const CONTEXT = 60;
const JSON_TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|(?<![\w.+-])-?\d{16,}(?![\d.eE])/g;

const digitsOf = new WeakMap<object, Map<string, string>>();

/** The digits of the integer that `holder` has under `key`, where its number is not exact. */
export function exactInteger(holder: object, key: string | number): string | undefined {
  return digitsOf.get(holder)?.get(String(key));
}

/** Gives a copy of `from` the digits that its own integers have. */
export function copyDigits(from: object, to: object): void {
  const known = digitsOf.get(from);
  if (known !== undefined) digitsOf.set(to, new Map([...(digitsOf.get(to) ?? []), ...known]));
}

export function mayHoldLargeIntegers(text: string): boolean {
  for (const { 0: digits, index } of text.matchAll(DIGITS)) {
    const end = index + digits.length;
    if (AFTER.test(text.slice(end, end + CONTEXT)) && BEFORE.test(text.slice(Math.max(0, index - CONTEXT), index)))
      return true;
  }
  return false;
}

/** As `JSON.parse`, with the digits of large integers kept aside. */
export function parseJson(text: string): unknown {
  if (!mayHoldLargeIntegers(text)) return JSON.parse(text);
  const marked = text.replaceAll(JSON_TOKEN, (token) => (isLarge(token) ? JSON.stringify(MARK + token) : token));
  return keepDigits(JSON.parse(marked));
}

/** What stands for an integer literal until `keepDigits`. */
export function markInteger(literal: string): string | number {
  return isLarge(literal) ? MARK + literal.replace(/^\+/, "") : Number(literal);
}

function isLarge(token: string): boolean {
  return !token.startsWith('"') && !Number.isSafeInteger(Number(token));
}

/** Makes numbers of the marks, in place, and notes their digits. */
export function keepDigits(root: unknown): unknown {
  if (typeof root === "string" && root.startsWith(MARK)) return Number(root.slice(MARK.length));
  const seen = new Set<object>();
  const open: unknown[] = [root];
  while (open.length > 0) {
    const holder = open.pop();
    if (typeof holder !== "object" || holder === null || seen.has(holder)) continue;
    seen.add(holder);
    for (const [key, value] of Object.entries(holder)) {
      if (typeof value === "object") open.push(value);
      else if (typeof value === "string" && value.startsWith(MARK)) unmark(holder, key, value.slice(MARK.length));
    }
  }
  return root;
}

function unmark(holder: object, key: string, digits: string): void {
  Object.defineProperty(holder, key, { value: Number(digits), writable: true, enumerable: true, configurable: true });
  const known = digitsOf.get(holder) ?? new Map<string, string>();
  digitsOf.set(holder, known.set(key, digits));
}
