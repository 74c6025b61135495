import type { ExploredOperation } from "../../model/explorer.ts";

/** What a word counts by where it is found; the whole word, and a word that begins with it. */
const WEIGHTS = { name: [10, 5], tags: [6, 3], path: [5, 2], summary: [4, 2] } as const satisfies Record<
  string,
  readonly [number, number]
>;
const EXACT = 1_000;
/** What each further word of the query that is found at all is worth: all of them before one of them often. */
const FOUND = 20;
const MOST_WORDS = 12;

/**
 * The operations that have a word of the query in name, tags, path or summary, the best first; those called exactly so before all others, and
 * equals in the order of the document. Without a word all of them.
 */
export function rankOperations(operations: readonly ExploredOperation[], query: string): ExploredOperation[] {
  const words = [...new Set(wordsOf(query))].slice(0, MOST_WORDS);
  if (words.length === 0) return query.trim() === "" ? [...operations] : [];
  const asked = query.trim().toLowerCase();
  return operations
    .map((operation) => ({ operation, score: scoreOf(operation, words, asked) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ operation }) => operation);
}

function scoreOf(operation: ExploredOperation, words: readonly string[], asked: string): number {
  const { name, method, path, tags, summary } = operation;
  const isExact = [name, path, `${method} ${path}`].some((one) => one.toLowerCase() === asked);
  const parts = [
    [wordsOf(name), WEIGHTS.name],
    [tags.flatMap(wordsOf), WEIGHTS.tags],
    [wordsOf(path), WEIGHTS.path],
    [wordsOf(summary), WEIGHTS.summary],
  ] as const;
  const found = words.map((word) =>
    parts.reduce(
      (sum, [own, [whole, start]]) => sum + (own.includes(word) ? whole : startsIn(own, word) ? start : 0),
      0,
    ),
  );
  const score = found.reduce((sum, one) => sum + (one > 0 ? one + FOUND : 0), 0);
  return isExact ? score + EXACT : score;
}

function startsIn(own: readonly string[], word: string): boolean {
  return word.length >= 3 && own.some((one) => one.startsWith(word));
}

/** `listPullRequests`, `pulls/list-files`: words in lower case, without the s of a plural. */
function wordsOf(text: string): string[] {
  const parted = text.replace(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu, " ").toLowerCase();
  return (parted.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => (word.length > 3 ? word.replace(/(?<!s)s$/, "") : word));
}
