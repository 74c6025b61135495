import { editDistance } from "../../../model/nearest.ts";
import type { Severity } from "../../../model/problem.ts";
import { SAME_VERBS } from "./verbs.ts";

/** A tool's key and the words of its name, without those of its namespace. */
export interface NamedTool {
  readonly key: string;
  readonly words: readonly string[];
}

export interface NamePair {
  readonly first: string;
  readonly second: string;
  readonly severity: Severity;
  readonly how: string;
}

/** Pairs of names that are taken for each other, each tool with the first that it is like. Names of two namespaces are not compared. */
export function* namePairs(tools: readonly NamedTool[]): Iterable<NamePair> {
  for (const [at, one] of tools.entries())
    for (const other of tools.slice(0, at)) {
      if (namespaceOf(one) !== namespaceOf(other)) continue;
      const like = compareNames(other.words, one.words);
      if (like === undefined) continue;
      yield { first: other.key, second: one.key, ...like };
      break;
    }
}

function namespaceOf({ key }: NamedTool): string {
  return key.split(".").slice(0, -1).join(".");
}

function compareNames(
  one: readonly string[],
  other: readonly string[],
): Pick<NamePair, "severity" | "how"> | undefined {
  if (one.join("") === other.join("")) return { severity: "warning", how: "separators" };
  if (one.map(singular).join("_") === other.map(singular).join("_")) return { severity: "warning", how: "a plural" };
  if (one.length !== other.length) return undefined;
  const apart = one.flatMap((word, at) => (word === other[at] ? [] : [[word, other[at] ?? ""] as const]));
  const [pair] = apart;
  if (apart.length !== 1 || pair === undefined) return undefined;
  if (pair[0] === one[0] && SAME_VERBS.some((verbs) => pair.every((verb) => verbs.includes(verb))))
    return { severity: "warning", how: "verbs of one meaning" };
  return isOneLetterOff(...pair) ? { severity: "note", how: "a letter" } : undefined;
}

function singular(word: string): string {
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  return word.length > 3 && word.endsWith("s") && !/(ss|us|is)$/.test(word) ? word.slice(0, -1) : word;
}

const LONG_WORD = 6;

/** Of long words: in short ones a letter makes another word, as a digit does in any. */
function isOneLetterOff(one: string, other: string): boolean {
  return Math.min(one.length, other.length) >= LONG_WORD && !/\d/.test(one + other) && editDistance(one, other, 1) <= 1;
}
