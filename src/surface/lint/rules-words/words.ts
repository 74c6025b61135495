/** Words that say nothing of what a tool is for. */
const EMPTY = new Set(
  "a an the this that these those it its of for to from in on at by with and or as is are be can will you your all any each one some given specified particular single used use uses using tool endpoint api request call operation method function resource resources object objects item items entry entries data information details".split(
    " ",
  ),
);
/** What tools do, in any form: the name says it already. */
const VERBS = new Set(
  "get gets list lists read reads return returns retrieve retrieves fetch fetches show shows find finds search searches create creates add adds update updates delete deletes remove removes set sets".split(
    " ",
  ),
);

/** Words in lower case; `listInvoices` and `list_invoices` are two each. */
export function splitWords(text: string): string[] {
  return text
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

/** The words that carry the meaning, without their endings. */
export function contentWords(text: string): ReadonlySet<string> {
  return new Set(
    splitWords(text)
      .filter((word) => !EMPTY.has(word) && !VERBS.has(word))
      .map(stem),
  );
}

/** English plurals and the like are one word with their singular. */
function stem(word: string): string {
  if (word.length < 4) return word;
  return word
    .replace(/ies$/, "y")
    .replace(/(?<=[xs]|ch|sh)es$/, "")
    .replace(/(?<!s)s$/, "");
}
