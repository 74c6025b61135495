// A JavaScript number holds integers up to 2^53, and nothing of how a number was written. What another literal would stand for, such as
// 9007199254740993, 1.10 or 0123, is a number in the parsed document all the same, and its spelling is kept aside by the object or list that holds
// it, for where a schema means an exact integer or a text.

/** Stands before the spelling while the text is parsed. No document holds it by accident. */
const MARK = "\u0000number:";
/** Only where a caller could meet the value; bounds such as `maximum: 9223372036854775807` are not worth a second look at the document. */
const MET = /(?:\b(?:default|const)["']?\s*:|[[,]|(?:^|\n)\s*-)\s*([-+]?\.?\d[\w.+-]*)(?=\s*(?:[,\]}#]|\n|$))/g;
/** JSON knows fewer ways to write a number, which are told faster. */
const ODD_IN_JSON = /\d(?:\d{15}|[eE]|\.\d*0)/;
const JSON_TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|(?<![\w.+-])-?\d[\d.eE+-]*/g;
/** How YAML 1.2 (10.3.2) writes numbers; JSON's are among them. */
const NUMBER = /^[-+]?(?:0b[01]+|0o[0-7]+|0x[\da-fA-F]+|\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?)$/;
/** Nearly all are so, and are told at a glance. */
const PLAIN = /^-?(?:0|[1-9]\d{0,14})$/;

const spellings = new WeakMap<object, Map<string, string>>();

/** How the number is written that `holder` has under `key`; undefined where it is as JavaScript writes it. */
export function spellingOf(holder: object, key: string | number): string | undefined {
  return spellings.get(holder)?.get(String(key));
}

/** Gives a copy of `from` the spellings that its own numbers have. */
export function copySpellings(from: object, to: object): void {
  const known = spellings.get(from);
  if (known !== undefined) spellings.set(to, new Map([...(spellings.get(to) ?? []), ...known]));
}

export function mayHoldOddNumbers(text: string): boolean {
  for (const [, literal] of text.matchAll(MET)) if (isOdd(literal!)) return true;
  return false;
}

/** A number that JavaScript would write in another way. */
export function isOdd(literal: string): boolean {
  return !PLAIN.test(literal) && NUMBER.test(literal) && String(numberOf(literal)) !== literal;
}

/** As `JSON.parse`, with the spelling of odd numbers kept aside. */
export function parseJson(text: string): unknown {
  if (!ODD_IN_JSON.test(text) || !mayHoldOddNumbers(text)) return JSON.parse(text);
  const marked = text.replaceAll(JSON_TOKEN, (token) => (isOdd(token) ? JSON.stringify(MARK + token) : token));
  return keepSpellings(JSON.parse(marked));
}

/** What stands for an odd number until `keepSpellings`. */
export function markNumber(literal: string): string {
  return MARK + literal;
}

function numberOf(literal: string): number {
  const isNegative = literal.startsWith("-");
  const value = Number(literal.replace(/^[-+]/, ""));
  return isNegative ? -value : value;
}

/** Makes numbers of the marks, in place, and notes their spellings. */
export function keepSpellings(root: unknown): unknown {
  if (isMark(root)) return numberOf(root.slice(MARK.length));
  const seen = new Set<object>();
  const open: unknown[] = [root];
  while (open.length > 0) {
    const holder = open.pop();
    if (typeof holder !== "object" || holder === null || seen.has(holder)) continue;
    seen.add(holder);
    let hasMarkedKey = false;
    for (const [key, value] of Object.entries(holder)) {
      hasMarkedKey ||= isMark(key);
      if (typeof value === "object") open.push(value);
      else if (isMark(value)) unmark(holder, key, value.slice(MARK.length));
    }
    if (hasMarkedKey) unmarkKeys(holder);
  }
  return root;
}

function isMark(value: unknown): value is string {
  return typeof value === "string" && value.startsWith(MARK);
}

function unmark(holder: object, key: string, literal: string): void {
  Object.defineProperty(holder, key, { ...OWN, value: numberOf(literal) });
  const known = spellings.get(holder) ?? new Map<string, string>();
  spellings.set(holder, known.set(key, literal));
}

const OWN = { writable: true, enumerable: true, configurable: true };

/** A key of YAML that is a number is the text of that number. */
function unmarkKeys(holder: object): void {
  const entries = Object.entries(holder);
  for (const [key] of entries) Reflect.deleteProperty(holder, key);
  for (const [key, value] of entries) {
    const name = isMark(key) ? String(numberOf(key.slice(MARK.length))) : key;
    Object.defineProperty(holder, name, { ...OWN, value });
  }
}
