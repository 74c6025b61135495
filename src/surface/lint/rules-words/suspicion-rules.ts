import type { LintFinding, LintRule, LintSubject } from "../lint-rule.ts";
import { findComment, findEncoded, findHidden, findInstructions, findMarks } from "./find-suspicion.ts";
import { exploredTexts, listTexts, type ReadText } from "./list-texts.ts";
import { quote } from "./quote.ts";
import { specWords } from "./spec-words.ts";

const OVERLAY = "Say it otherwise by an overlay, or take `explore` out; and ask who changed the spec.";
const OWN_WORDS =
  "Say it in your own words: `use` of the tool, or `describe` of the input; and ask who changed the spec.";

const promptInText: LintRule = {
  code: "prompt_in_text",
  severity: "warning",
  title: "Text that speaks to a model",
  why: "Descriptions are read as instructions: a text of the spec that gives orders is the way in which tools are poisoned, and directories refuse it.",
  check: (subject) =>
    oncePerPlace([...listTexts(subject), ...exploredTexts(subject)], ({ text, by }) => {
      const found = findInstructions(text, by);
      if (found === undefined) return undefined;
      return { message: `${whose(by)} ${found.does}: ${quote(found.words)}.`, part: found.words };
    }),
};

const encodedText: LintRule = {
  code: "encoded_text",
  severity: "warning",
  title: "Encoded text",
  why: "Nobody can read a long base64 or hex text when a tool is approved, and a model may decode it.",
  check: (subject) =>
    oncePerPlace([...listTexts(subject), ...exploredTexts(subject)], ({ text, by }) => {
      const found = findEncoded(text);
      return found === undefined
        ? undefined
        : {
            message: `${whose(by)} holds a long encoded text that nobody can read: ${quote(found)}…`,
            part: found,
          };
    }),
};

const hiddenText: LintRule = {
  code: "hidden_text",
  severity: "warning",
  title: "Text that people cannot see",
  why: "Characters and comments that are not shown are the usual cover of poisoned descriptions; they are left out of the list, and whoever put them there may try again.",
  *check(subject) {
    yield* oncePerPlace([...listTexts(subject), ...exploredTexts(subject)], ({ text, by }) => {
      const found = findHidden(text);
      return found === undefined ? undefined : { message: `${whose(by)} hides ${found}.` };
    });
    yield* hiddenInSpec(subject);
  },
};

/** What the compiler has already left out of the list, in texts of the spec the rest of which reaches it. */
function* hiddenInSpec(subject: LintSubject): Iterable<LintFinding> {
  const texts = listTexts(subject).filter(({ by }) => by === "spec");
  for (const [name, tool] of subject.tools) {
    const read = texts.filter((one) => one.tool === name).map((one) => ({ ...one, folded: fold(one.text) }));
    if (read.length === 0) continue;
    const told = new Set<string>();
    for (const raw of specWords(tool, subject.toolset, subject.api)) {
      const found = findHidden(raw) ?? describeMarkup(raw);
      const beginning = found === undefined ? "" : fold(raw).slice(0, 24);
      const shown = beginning === "" ? undefined : read.find(({ folded }) => folded.includes(beginning));
      if (shown === undefined || told.has(`${shown.at.join("/")}:${found}`)) continue;
      told.add(`${shown.at.join("/")}:${found}`);
      const message = `${whose("spec")} hides ${found}. It was left out of the list.`;
      yield { severity: "warning", at: shown.at, tool: name, message, hint: OWN_WORDS };
    }
  }
}

/** Markup that speaks to a model. */
function describeMarkup(raw: string): string | undefined {
  const comment = findComment(raw);
  if (comment !== undefined) return `a comment that speaks to a model: ${quote(comment)}`;
  const marks = findMarks(raw);
  return marks === undefined ? undefined : `a mark of a chat's own format: ${quote(marks)}`;
}

interface Said {
  readonly message: string;
  readonly part?: string;
}

/** One finding a place: the first that is found there. */
function* oncePerPlace(texts: readonly ReadText[], look: (text: ReadText) => Said | undefined): Iterable<LintFinding> {
  const told = new Set<string>();
  for (const text of texts) {
    const place = text.at.join("/");
    const said = told.has(place) ? undefined : look(text);
    if (said === undefined) continue;
    told.add(place);
    yield {
      severity: "warning",
      at: text.at,
      ...(text.tool !== undefined && { tool: text.tool }),
      message: said.message,
      ...(text.by === "author" && said.part !== undefined && { part: said.part }),
      hint:
        text.at[1] === "explore"
          ? OVERLAY
          : text.by === "spec"
            ? OWN_WORDS
            : "Say what the tool does, and leave this out.",
    };
  }
}

function whose(by: ReadText["by"]): string {
  return by === "spec" ? "The spec's text, which agents read here," : "This text";
}

/** Letters and digits alone, of what can be seen. */
function fold(text: string): string {
  return text
    .replace(/<!--[\s\S]{0,4000}?-->|<\/?[A-Za-z][^<>]{0,200}>/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, "")
    .toLowerCase();
}

export const SUSPICION_RULES: readonly LintRule[] = [promptInText, hiddenText, encodedText];
