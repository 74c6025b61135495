import type { LintFinding, LintRule, LintSubject } from "../lint-rule.ts";
import { wordsOf } from "./each-input.ts";
import { type NamedTool, namePairs } from "./name-pairs.ts";
import { SAME_VERBS, VERBS } from "./verbs.ts";

function namedTools({ tools }: LintSubject): readonly NamedTool[] {
  return [...tools.keys()].map((key) => ({ key, words: wordsOf(key.split(".").at(-1) ?? key) }));
}

function* findNames(
  subject: LintSubject,
  look: (tool: NamedTool) => string | undefined,
  found: Omit<LintFinding, "at" | "message">,
): Iterable<LintFinding> {
  for (const tool of namedTools(subject)) {
    const message = look(tool);
    if (message !== undefined) yield { ...found, at: ["tools", tool.key], tool: tool.key, message };
  }
}

const nameWithoutVerb: LintRule = {
  code: "name_without_verb",
  severity: "note",
  title: "A name that does not say what is done",
  why: "Agents choose by the name first: `list_orders` says what a call does, `orders` does not say whether it reads or writes.",
  check: (subject) =>
    findNames(
      subject,
      ({ key, words: [first = ""] }) => (VERBS.has(first) ? undefined : `\`${key}\` does not begin with what is done.`),
      {
        severity: "note",
        hint: "Begin the name with a verb, for example list, get, search, create.",
      },
    ),
};

/** What generators of operation IDs leave in names, and what is true of every tool of an API. */
const NOISE: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/(^|_)v\d{1,2}($|_)/, "a version of the API"],
  [/_using_(get|post|put|patch|delete)(_\d+)?$/, "the method of its operation"],
  [
    /(^api|_api|_endpoint|_controller|_handler)$|^api_(get|list|create|update|delete|post|put|patch)_/,
    "a word of the API's code",
  ],
];

const nameNoise: LintRule = {
  code: "name_noise",
  severity: "warning",
  title: "A name with words of the API's code",
  why: "Versions, methods and code words tell an agent nothing about the task, and names made of operation IDs are chosen less often.",
  check: (subject) =>
    findNames(
      subject,
      ({ key, words }) => {
        const what = NOISE.find(([pattern]) => pattern.test(words.join("_")))?.[1];
        return what === undefined ? undefined : `\`${key}\` holds ${what}.`;
      },
      { severity: "warning", hint: "Name what the agent gets done; keep the old name in `aliases`." },
    ),
};

const nameRepeats: LintRule = {
  code: "name_repeats_prefix",
  severity: "note",
  title: "A name that repeats the server's prefix",
  why: "Callers see the prefix before every name: the second time it costs tokens and, in some clients, the room that names have.",
  check: (subject) => {
    const { prefix = "" } = subject.curation.content.server;
    const known = new Set(wordsOf(prefix));
    return findNames(
      subject,
      ({ key, words }) => {
        const twice = words.find((word) => word.length > 2 && known.has(word));
        return twice === undefined
          ? undefined
          : `\`${key}\` says \`${twice}\` again, which stands in \`${prefix}\` already.`;
      },
      { severity: "note", hint: "Leave the word out." },
    );
  },
};

const namesAlike: LintRule = {
  code: "names_alike",
  severity: "warning",
  title: "Two names that are easily taken for each other",
  why: "Agents write names from memory: two that differ in a letter or a plural are swapped, and the call succeeds with the wrong tool.",
  *check(subject) {
    for (const { first, second, severity, how } of namePairs(namedTools(subject))) {
      const message = `\`${second}\` and \`${first}\` differ in ${how} only.`;
      const hint = "Say in the names what tells the two apart, for example get_order and list_orders.";
      yield { severity, at: ["tools", second], tool: second, message, hint };
    }
  },
};

const mixedVerbs: LintRule = {
  code: "mixed_verbs",
  severity: "note",
  title: "Several verbs for one thing",
  why: "Where `get_` and `fetch_` stand side by side an agent looks for a difference that is not there.",
  *check(subject) {
    const named = namedTools(subject);
    for (const group of SAME_VERBS) {
      const users = group
        .map((verb) => named.find(({ words }) => words[0] === verb))
        .filter((one) => one !== undefined);
      const [, second] = users;
      if (second === undefined) continue;
      const message = `${users.map(({ key }) => `\`${key}\``).join(", ")}: different verbs for the same kind of thing.`;
      yield {
        severity: "note",
        at: ["tools", second.key],
        tool: second.key,
        message,
        hint: "Use one verb for one kind of action in the whole list.",
      };
    }
  },
};

/** What callers see of names, beyond what the compiler refuses. */
export const NAME_RULES: readonly LintRule[] = [nameWithoutVerb, nameNoise, nameRepeats, namesAlike, mixedVerbs];
