import { capitalize } from "../../model/capitalize.ts";
import type { Chosen } from "../choose/choose-tools.ts";
import { deedOf } from "../survey/deed-of.ts";
import type { Fact } from "../survey/read-fact.ts";
import { destroys } from "./actions.ts";
import { plural, singular, wordsOf } from "./nouns.ts";
import { saySentence } from "./plain-words.ts";

/** The purpose of a tool in the document's own words where those say something, else in ours. `distrusted`: the document's words are not to be shown. */
export function sayUse({ fact }: Chosen, name: string, distrusted: boolean): string {
  const { summary, description } = fact.operation;
  const said = distrusted ? [] : [saySentence(summary), withoutPreamble(saySentence(description))];
  const own = said.filter((text, at) => tells(text, name) && (at === 0 || BEGINS.test(text)));
  const [first, second] = own;
  if (first !== undefined) return first.length < 24 && second !== undefined && second.length <= 140 ? second : first;
  return sayPlainly(
    fact.kind,
    name,
    fact.resource.nouns.at(-1) ?? "",
    fact.resource.keys.length > 0 ? fact.resource.nouns.at(-2) : undefined,
  );
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
