import { capitalize } from "../../model/capitalize.ts";
import type { Chosen } from "../choose/choose-tools.ts";
import { keySlots, listsThings } from "../choose/find-producer.ts";
import { deedOf } from "../survey/deed-of.ts";
import type { Fact } from "../survey/read-fact.ts";
import { destroys } from "./actions.ts";
import { plural, singular, wordsOf } from "./nouns.ts";
import { saySentence } from "./plain-words.ts";

export interface UseOptions {
  /** The document's words are not to be shown. */
  readonly distrusted: boolean;
  /** Callers give nothing by which a search could find. */
  readonly asksNothing: boolean;
  /** The other operations on the same things. */
  readonly beside: readonly Fact[];
}

/** The purpose of a tool in the document's own words where those say something, else in ours. */
export function sayUse({ fact }: Chosen, name: string, { distrusted, asksNothing, beside }: UseOptions): string {
  const own = distrusted ? undefined : ownWords(fact, name);
  // Of a list and of what it lists the same words tell neither.
  if (own !== undefined && !beside.some((one) => ownWords(one, name) === own)) return own;
  const { nouns, keys, verb } = fact.resource;
  if (fact.kind === "search" && asksNothing) return sayPlainly("list", name, fact.resource.thing, undefined);
  // `conversations.members` lists members of one.
  if (verb !== undefined && fact.kind === "list" && !listsThings(fact))
    return sayPlainly(fact.kind, name, verb, keySlots(fact).length > 0 ? nouns.at(-1) : undefined);
  return sayPlainly(fact.kind, name, nouns.at(-1) ?? "", keys.length > 0 ? nouns.at(-2) : undefined);
}

function ownWords(
  { kind, operation: { summary, description }, resource: { thing } }: Fact,
  name: string,
): string | undefined {
  const said = withoutTitleCase(saySentence(summary));
  const short = isOfAnother(said, kind, thing) ? "" : said;
  const long = withoutPreamble(saySentence(description));
  // A list is described by its things: "Get an extension" was copied from elsewhere.
  const isStray = kind === "list" && /^\w+ an? /.test(long) && !mentions(long, thing);
  const [first, second] = [short, isStray ? "" : long].filter(
    (text, at) => tells(text, name) && !STATUS.test(text) && (at === 0 || BEGINS.test(text)),
  );
  const own = first !== undefined && first.length < 24 && second !== undefined && second.length <= 140 ? second : first;
  // No tool watches.
  return own?.replace(/ or watch(es)? /, " ");
}

/** "Get open extension" of a list of messages was copied from elsewhere, and "Get messages from me" tells of the list. */
function isOfAnother(text: string, kind: Fact["kind"], thing: string): boolean {
  const words = wordsOf(text);
  if (!/^(gets?|reads?|retrieves?)$/.test(words[0] ?? "")) return false;
  if (kind === "detail") return words[1] === plural(thing) && words[1] !== thing;
  return kind === "list" && !mentions(text, thing) && words.every((word) => singular(word) === word);
}

function mentions(text: string, thing: string): boolean {
  const words = wordsOf(text).map(singular);
  return thing.split("_").some((word) => words.includes(singular(word)));
}

/** What is answered, and not what is done. */
const STATUS = /\b[1-5]\d\d (error|status|response|code|[A-Z])|\bstatus code\b/;
const PLAIN_WORDS =
  /(?<=\s)(All|An?|The|Of|For|In|To|By|From|With|And|Or|Existing|Available|Current|Single|Specific|Multiple|Details?|Information|List)\b/g;

/** "List All Database Clusters" is a heading; what may be a name stays as it is. */
function withoutTitleCase(text: string): string {
  const words = text.split(" ").slice(1);
  const isTitle = words.length > 1 && words.every((word) => /^[^a-z]/.test(word) || word.length < 4);
  return isTitle ? text.replace(PLAIN_WORDS, (word) => word.toLowerCase()) : text;
}

/** How a sentence on what an operation does begins, and not one on a detail of it. */
const BEGINS =
  /^(returns?|retrieves?|gets?|lists?|fetch\w*|shows?|provides?|finds?|search(es)?|looks?|reads?|quer(y|ies)|describes?|displays?|obtains?|checks?|views?|calculates?|computes?|estimates?|counts?|lets|all|an? list|the list)\b/i;

function withoutPreamble(text: string): string {
  return capitalize(
    text.replace(/^(this|the) (endpoint|method|operation|api|call|request|route) (will )?(?=[a-z]+s?\b)/i, ""),
  );
}

/** Whether a text says more than the tool's name. */
function tells(text: string, name: string): boolean {
  const named = new Set(wordsOf(name).map(singular));
  const more = wordsOf(text).filter((word) => !FILLERS.has(word) && !named.has(singular(word)));
  return text.length >= 12 && more.length > 0 && !/^(ok|success|todo|tbd|deprecated)\b/i.test(text);
}

const FILLERS = new Set(
  "a an the this that these those all any each of for to from in on at by with and or as is are be will you your one specified given single get gets list lists read reads return returns retrieve retrieves fetch fetches show shows find finds search searches details detail information info object objects resource resources api endpoint".split(
    " ",
  ),
);

function sayPlainly(kind: Fact["kind"], name: string, noun: string, owner: string | undefined): string {
  const thing = noun.replaceAll("_", " ") || wordsOf(name).slice(1).join(" ") || "it";
  const of = owner === undefined ? "" : ` of one ${singular(owner).replaceAll("_", " ")}`;
  switch (kind) {
    case "list":
      return `See which ${plural(thing)}${of} there are.`;
    case "search":
      return `Find ${wordsOf(name).slice(1).join(" ")} by words or conditions.`;
    case "detail":
      return `Read one ${singular(thing)} whole, once it is known which.`;
    case "write":
      return `${capitalize(wordsOf(name).join(" "))}${of}.`;
    case "single":
      return `See what the API says now about ${thing}.`;
    default:
      return kind satisfies never;
  }
}

/** What a person is asked before it is done; `key` is the input that picks the thing. */
export function sayConfirm({ fact }: Chosen, name: string, key: string | undefined): string {
  const what = capitalize(wordsOf(name).join(" "));
  const isNew = deedOf(fact.entry.method, fact.resource) === "create";
  const which = key === undefined || isNew ? "" : ` \${input.${key}}`;
  return `${what}${which}${effectOf(fact) === "destroy" ? " for good" : ""}?`;
}

export function effectOf({ entry, resource }: Fact): "write" | "destroy" {
  const word = resource.verb?.split("_")[0] ?? resource.nouns.at(-1) ?? "";
  return entry.method === "DELETE" || destroys(word) ? "destroy" : "write";
}

/** When another tool is meant; `list` is the one that lists what this one reads. */
export function sayNotFor({ fact }: Chosen, list: string | undefined): string | undefined {
  if (fact.kind !== "detail" || list === undefined) return undefined;
  return `Finding one; call \`${list}\`.`;
}

export function sayReturns({ fact }: Chosen): string | undefined {
  if (fact.body.kind !== "rows") return undefined;
  const noun = singular(fact.resource.nouns.at(-1) ?? "row").replaceAll("_", " ");
  return /\b(search|query|data|list)\b/.test(noun)
    ? "One row a match."
    : `One row ${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}.`;
}
