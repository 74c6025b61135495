import { rememberBounded } from "../../model/remember.ts";

/** Words in lower case: `listInvoices`, `list-invoices` and `ListInvoices` are two each. */
export function wordsOf(text: string): string[] {
  return text
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

export function snakeOf(text: string): string {
  return wordsOf(text).join("_");
}

/** A choice asks for the same few hundred names again and again. */
const MOST_KNOWN = 20_000;

/** A name without letter case and separators, by which names of one thing are compared. */
export const foldName: (name: string) => string = rememberBounded(MOST_KNOWN, (name) =>
  name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ""),
);

/** What a key picks, by its name: `repo_id` picks a `repo`. Folded, and empty where the name only says how. */
export function thingOfKey(key: string): string {
  return foldName(key).replace(/(id|gid|sid|uuid|guid|name|slug|number)$/, "");
}

/** Whether a list is called as a thing is: `repo` may be found among `repositories`, and no `folder` among `folder_locks`. */
export function isCalled(thing: string, list: string): boolean {
  const called = foldName(singular(list));
  const before = foldName(list.slice(0, list.lastIndexOf("_") + 1));
  return thing === called || (thing.length > 3 && thing.length > before.length && called.startsWith(thing));
}

const SINGULAR: ReadonlyMap<string, string> = new Map([
  ["people", "person"],
  ["children", "child"],
  ["indices", "index"],
  ["statuses", "status"],
  ["aliases", "alias"],
  ["addresses", "address"],
  ["criteria", "criterion"],
  ["movies", "movie"],
  ["caches", "cache"],
]);
/** Words that end as plurals do and are none, or that have none. */
const SAME =
  /(ss|us|is|ics|ws|series|species|data|history|metadata|media|dns|https?|kubernetes|sms|gps|aws|kms|sns|sqs|info)$/;

/** The last word in the singular, as far as English spelling tells. */
export const singular: (snake: string) => string = rememberBounded(MOST_KNOWN, (snake) =>
  withLast(snake, (word) => {
    const known = SINGULAR.get(word);
    if (known !== undefined) return known;
    if (word.length < 4 || SAME.test(word)) return word;
    if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
    if (/(ch|sh|x|ss|z)es$/.test(word)) return word.slice(0, -2);
    return word.endsWith("s") ? word.slice(0, -1) : word;
  }),
);

export function plural(snake: string): string {
  return withLast(snake, (word) => {
    const known = [...SINGULAR].find(([, one]) => one === word)?.[0];
    if (known !== undefined) return known;
    if (singular(word) !== word || SAME.test(word)) return /(ss)$/.test(word) ? `${word}es` : word;
    if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
    return /(ch|sh|x|s|z)$/.test(word) ? `${word}es` : `${word}s`;
  });
}

function withLast(snake: string, change: (word: string) => string): string {
  const words = snake.split("_");
  return [...words.slice(0, -1), change(words.at(-1) ?? "")].join("_");
}
