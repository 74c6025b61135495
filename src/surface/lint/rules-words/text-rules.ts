import { ownValue } from "../../../model/json.ts";
import type { LintFinding, LintRule, LintSubject } from "../lint-rule.ts";
import { listTexts, type ReadText } from "./list-texts.ts";
import { quote } from "./quote.ts";

const placeholderText: LintRule = {
  code: "placeholder_text",
  severity: "warning",
  title: "Text that was left to be written",
  why: "What is left open misleads: an agent takes it for the description.",
  check: (subject) =>
    findIn(
      listTexts(subject).filter(({ isWord }) => isWord !== true),
      PLACEHOLDER,
      (words) => ({
        severity: "warning",
        message: `This text was left to be written: ${quote(words)}.`,
        hint: "Write it, or take the key out.",
      }),
    ),
};
const PLACEHOLDER =
  /\b(?:TODO|FIXME)\s?[:(]|^\s*(?:TODO|FIXME|TBD)\b|\blorem ipsum\b|\b(?:insert|add|enter|your) description(?: here)?\b|^\s*(?:description|n\/a|none|string|test|\.{3})\.?\s*$/i;

const markupText: LintRule = {
  code: "markup_text",
  severity: "warning",
  title: "HTML in a text",
  why: "Agents read texts as they are: tags cost tokens, and a comment is read by models though people do not see it.",
  check: (subject) =>
    findIn(
      listTexts(subject).filter(({ by }) => by === "author"),
      MARKUP,
      (words) => ({
        severity: "warning",
        message: `HTML in a text that agents read as it is: ${quote(words)}.`,
        hint: "Write it as plain text.",
      }),
    ),
};
const MARKUP =
  /<!--|<\/?(?:p|br|b|i|em|strong|code|pre|a|ul|ol|li|div|span|h[1-6]|table|tr|td|th|img|script|style)(?:\s[^<>]{0,200})?\/?>/i;

const endpointNamed: LintRule = {
  code: "endpoint_named",
  severity: "note",
  title: "A text that names an operation of the API",
  why: "An agent has tools and no HTTP: a path that it reads is one that it cannot call, and it may invent a tool for it.",
  check: (subject) =>
    findIn(listTexts(subject), /\b(?:GET|POST|PUT|PATCH|DELETE) \/[\w{}./:-]+/, (words, { by }) => ({
      severity: "note",
      message: `${by === "spec" ? "The spec's text, which agents read here, names" : "This text names"} an operation that no agent can call: \`${words}\`.`,
      hint: by === "spec" ? "Say it in your own words." : "Name the tool, in backticks.",
    })),
};

const toolUnknown: LintRule = {
  code: "tool_reference_unknown",
  severity: "warning",
  title: "A text that sends to a tool that is not there",
  why: "An agent that is told to call a tool that does not exist fails, or makes one up.",
  *check(subject) {
    const known = knownNames(subject);
    for (const { text, at, tool, by } of listTexts(subject)) {
      if (by === "spec") continue;
      for (const [part, name = ""] of text.matchAll(
        /\b(?:call|calling|use|using|see|with|by|from|of)\s+`([a-z][a-z0-9]*(?:[_.][a-z0-9]+)+)`/gi,
      )) {
        const isOrder = /^call/i.test(part);
        if (known.tools.has(name) || (!isOrder && known.others.has(name))) continue;
        if (!isOrder && !known.verbs.has(name.split(/[_.]/)[0] ?? "")) continue;
        const message = `There is no tool \`${name}\`.`;
        const hint = "Name a tool of this curation, or take the sentence out.";
        yield { severity: "warning", at, ...(tool !== undefined && { tool }), message, hint, part: `\`${name}\`` };
        break;
      }
    }
  },
};

/** Names that may stand in backticks: of tools, of what else an agent sees, and the verbs with which names of tools begin here. */
function knownNames({ curation, toolset, tools }: LintSubject) {
  const keys = Object.keys(curation.content.tools);
  const names = new Set([
    ...keys,
    ...toolset.tools.flatMap(({ name, aliases = [], group }) => [
      name,
      ...aliases,
      ...(group === undefined ? [] : [group.tool]),
    ]),
    ...OWN_TOOLS.flatMap((name) => [name, `${curation.content.server.prefix ?? ""}${name}`]),
  ]);
  const others = [...tools].flatMap(([key, tool]) => {
    const result = ownValue(curation.content.tools, key)?.result;
    const value = typeof result?.value === "object" ? result.value : {};
    return [
      ...tool.inputs.map(({ name }) => name),
      ...Object.keys(result?.fields ?? {}),
      ...Object.keys(value),
      ...(tool.filter?.fields ?? []).map(({ name }) => name),
    ];
  });
  const verbs = new Set(keys.flatMap((key) => key.split(/[_.]/)[0] ?? []));
  return { tools: names, others: new Set(others), verbs };
}

const OWN_TOOLS = ["describe_access", "search_operations", "describe_operation", "call_operation"];

/** One finding a place: the first. */
function* findIn(
  texts: readonly ReadText[],
  pattern: RegExp,
  say: (words: string, text: ReadText) => Pick<LintFinding, "severity" | "message" | "hint">,
): Iterable<LintFinding> {
  const told = new Set<string>();
  for (const text of texts) {
    const place = text.at.join("/");
    const words = pattern.exec(text.text)?.[0].trim();
    if (words === undefined || told.has(place)) continue;
    told.add(place);
    const { at, tool, by } = text;
    yield { ...say(words, text), at, ...(tool !== undefined && { tool }), ...(by === "author" && { part: words }) };
  }
}

export const TEXT_RULES: readonly LintRule[] = [placeholderText, markupText, endpointNamed, toolUnknown];
