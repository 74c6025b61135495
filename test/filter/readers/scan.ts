import { all, any, type Node, not } from "../selects.ts";

/** A text that is read from left to right. */
export interface Scanner {
  readonly text: string;
  at: number;
}

/** What the pattern finds right here, and moves behind it. */
export function take(scanner: Scanner, pattern: RegExp): RegExpExecArray | undefined {
  const sticky = new RegExp(pattern.source, `y${pattern.flags.replace("y", "")}`);
  sticky.lastIndex = scanner.at;
  const found = sticky.exec(scanner.text);
  if (!found) return undefined;
  scanner.at = sticky.lastIndex;
  return found;
}

export function need(scanner: Scanner, pattern: RegExp): RegExpExecArray {
  const found = take(scanner, pattern);
  if (!found) throw new Error(`Expected ${pattern} at ${scanner.at} of ${scanner.text}`);
  return found;
}

export interface Grammar {
  readonly and: RegExp;
  readonly or: RegExp;
  /** Which of them binds tighter. */
  readonly tight: "and" | "or";
  readonly not?: RegExp;
  /** False where the language has no brackets. */
  readonly brackets?: false;
  leaf(scanner: Scanner): Node;
}

/** Reads a whole text by a grammar of AND, OR and brackets. */
export function readText(text: string, grammar: Grammar): Node {
  const scanner: Scanner = { text, at: 0 };
  const node = readLoose(scanner);
  if (scanner.at < text.length) throw new Error(`Something is left at ${scanner.at} of ${text}`);
  return node;

  function readLoose(at: Scanner): Node {
    const loose = grammar.tight === "and" ? "or" : "and";
    return readList(at, grammar[loose], loose, () =>
      readList(at, grammar[grammar.tight], grammar.tight, () => readUnit(at)),
    );
  }

  function readList(at: Scanner, sign: RegExp, kind: "and" | "or", read: () => Node): Node {
    const parts = [read()];
    while (take(at, sign)) parts.push(read());
    return parts.length === 1 ? parts[0]! : kind === "and" ? all(parts) : any(parts);
  }

  function readUnit(at: Scanner): Node {
    if (grammar.not && take(at, grammar.not)) return not(readUnit(at));
    if (grammar.brackets === false || !take(at, /\(/)) return grammar.leaf(at);
    const inside = readLoose(at);
    need(at, /\)/);
    return inside;
  }
}

const QUOTED = /"((?:[^"\\]|\\[\s\S])*)"/;

/** A text in double quotes with backslashes before what they mean. */
export function needQuoted(scanner: Scanner): string {
  return unescapeText(need(scanner, QUOTED)[1]!);
}

export function takeQuoted(scanner: Scanner): string | undefined {
  const found = take(scanner, QUOTED);
  return found && unescapeText(found[1]!);
}

export function unescapeText(text: string): string {
  return text.replace(/\\([\s\S])/g, "$1");
}

/** Values in round brackets with a sign between them. */
export function needList(scanner: Scanner, separator: RegExp, read: () => string): string[] {
  need(scanner, /\(/);
  const values = [read()];
  while (take(scanner, separator)) values.push(read());
  need(scanner, /\)/);
  return values;
}
