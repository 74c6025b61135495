import type { Json } from "../../model/json.ts";

/**
 * `JSON.parse`, but integers beyond 2^53, and numbers beyond what a double holds, come as strings of their digits, so that identifiers survive. A
 * body without a run of 16 digits or a three-digit exponent, nearly every one, is parsed at full speed. Throws SyntaxError.
 */
export function parseLossless(text: string): Json {
  const parsed = JSON.parse(text) as Json;
  const mayLose = MAY_LOSE.test(text) && LOSES.test(text);
  return mayLose ? (JSON.parse(rewriteNumbers(text, quoteUnsafe)) as Json) : parsed;
}

/** Told fast; a hash such as `5e123` looks like a number to it. */
const MAY_LOSE = /\d(?:[eE]\+?\d{3}|\d{15})/;
const LOSES = /\d{16}|(?:^|[:,[\s])-?\d[\d.]*[eE]\+?\d{3}/;

/** The same JSON text with its numbers rewritten. The text must be valid JSON. */
export function rewriteNumbers(text: string, rewrite: (number: string) => string): string {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const quote = text.indexOf('"', at);
    const end = quote === -1 ? text.length : quote;
    pieces.push(text.slice(at, end).replace(/-?\d[\d.eE+-]*/g, rewrite));
    at = end;
    if (quote === -1) break;
    at = endOfString(text, quote);
    pieces.push(text.slice(quote, at));
  }
  return pieces.join("");
}

function quoteUnsafe(number: string): string {
  const value = Number(number);
  const isLost = /^-?\d{16,}$/.test(number) ? !Number.isSafeInteger(value) : !Number.isFinite(value);
  return isLost ? `"${number}"` : number;
}

/** Where the string that opens at `quote` has ended. */
export function endOfString(text: string, quote: number): number {
  for (let end = text.indexOf('"', quote + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes += 1;
    if (slashes % 2 === 0) return end + 1;
  }
  return text.length;
}

/** Whether brackets are nested deeper than `most` levels, found without recursion. Stops at the first that is. */
export function isNestedOver(text: string, most: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 0x22) at = endOfString(text, at) - 1;
    else if (unit === 0x5b || unit === 0x7b) {
      depth += 1;
      if (depth > most) return true;
    } else if (unit === 0x5d || unit === 0x7d) depth -= 1;
  }
  return false;
}
