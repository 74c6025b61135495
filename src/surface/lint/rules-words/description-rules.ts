import type { ToolEntry } from "../../../curation/format.ts";
import { ownValue } from "../../../model/json.ts";
import type { Tool } from "../../../model/tool.ts";
import type { LintFinding, LintRule, LintSubject } from "../lint-rule.ts";
import { operationOf } from "../operation-of.ts";
import { quote } from "./quote.ts";
import { contentWords } from "./words.ts";

/** A tool as the author wrote it and as it came out. */
interface Written {
  readonly name: string;
  readonly entry: ToolEntry;
  readonly tool: Tool;
}

const SHORT = 30;
const SAY_USE = "Write `use`: what the tool is for, in one sentence.";

const descriptionMissing: LintRule = {
  code: "description_missing",
  severity: "warning",
  title: "A tool that nobody describes",
  why: "An agent chooses tools by their descriptions; 56 % of published tools do not say what they are for, and those that do are chosen far more often.",
  *check(subject) {
    for (const { name, entry } of writtenTools(subject)) {
      if (entry.use !== undefined || specDescribes(entry, subject)) continue;
      const message = "Neither the curation nor the spec says what this tool is for.";
      yield { severity: "warning", at: ["tools", name], tool: name, message, hint: SAY_USE };
    }
  },
};

const descriptionOfSpec: LintRule = {
  code: "description_of_spec",
  severity: "note",
  title: "A description in the spec's words",
  why: "A spec is written for programmers who read all of it: it seldom says when to call an operation and when not, and it changes without anyone looking.",
  *check(subject) {
    for (const { name, entry, tool } of writtenTools(subject)) {
      if (entry.use !== undefined || !specDescribes(entry, subject) || repeatsName(tool)) continue;
      const message = "The description is the spec's own, written for another reader.";
      yield { severity: "note", at: ["tools", name], tool: name, message, hint: SAY_USE };
    }
  },
};

const descriptionRepeats: LintRule = {
  code: "description_repeats_name",
  severity: "warning",
  title: "A description that repeats the name",
  why: "73 % of published descriptions say what the name says already: they cost tokens and help nobody choose.",
  *check(subject) {
    for (const { name, entry, tool } of writtenTools(subject)) {
      if (entry.use === undefined && !specDescribes(entry, subject)) continue;
      if (!repeatsName(tool)) continue;
      const message = `The description says no more than the name: ${quote(tool.description)}`;
      const hint = "Say when to call it, what comes back, or how it differs from its neighbours.";
      yield { severity: "warning", at: placeOfUse(name, entry), tool: name, message, hint };
    }
  },
};

const descriptionShort: LintRule = {
  code: "description_short",
  severity: "note",
  title: "A short description",
  why: "Below some 30 characters there is no room to say when to call a tool. With `descriptions: compact` that is meant.",
  *check(subject) {
    if (isCompact(subject)) return;
    for (const { name, entry, tool } of writtenTools(subject)) {
      if (entry.use === undefined || tool.description.length >= SHORT || repeatsName(tool)) continue;
      const message = `The description has ${tool.description.length} characters.`;
      yield {
        severity: "note",
        at: placeOfUse(name, entry),
        tool: name,
        message,
        hint: "Say when to call it, and what comes back.",
      };
    }
  },
};

const returnsUnsaid: LintRule = {
  code: "returns_unsaid",
  severity: "note",
  title: "A reply that nobody describes",
  why: "Some clients show no output schema: what comes back is then known by the description alone.",
  *check(subject) {
    if (isCompact(subject)) return;
    for (const { name, entry } of writtenTools(subject)) {
      const { fields, value, text } = entry.result ?? {};
      if (entry.returns !== undefined || [fields, value, text].some((one) => one !== undefined)) continue;
      const message = "Neither `returns` nor the chosen fields say what comes back.";
      const hint = "Write `returns`, or choose `fields` under `result`.";
      yield { severity: "note", at: ["tools", name], tool: name, message, hint };
    }
  },
};

/** Words that say that something is changed for good. */
const CHANGES =
  /\b(?:delet|remov|destroy|cancel|refund|overwrit|replac|eras|purg|drop|revok|terminat|void|reset|disabl|archiv|irrevers|permanent|chang|updat|set[s ]|mov|renam|send|pay|charg|creat|add|writ|edit|clos|stop|start|run[s ]|trigger|approv|reject|assign|merg|publish|make sure|cannot be undone|for good)/i;

const effectUnsaid: LintRule = {
  code: "effect_unsaid",
  severity: "note",
  title: "A change that the description does not tell",
  why: "Clients show the description when they ask whether a call may be made; annotations are not shown everywhere.",
  *check(subject) {
    for (const { name, entry, tool } of writtenTools(subject)) {
      if (tool.annotations.readOnlyHint || CHANGES.test(`${tool.title} ${tool.description}`)) continue;
      const message = "The tool changes something, and the description does not say what.";
      const hint = "Say in `use` what is changed, and whether it can be undone.";
      yield { severity: "note", at: placeOfUse(name, entry), tool: name, message, hint };
    }
  },
};

function repeatsName({ name, description }: Tool): boolean {
  const named = contentWords(name);
  return [...contentWords(description)].every((word) => named.has(word));
}

function* writtenTools({ curation, tools }: LintSubject): Iterable<Written> {
  for (const [name, tool] of tools) {
    const entry = ownValue(curation.content.tools, name);
    if (entry !== undefined) yield { name, entry, tool };
  }
}

function specDescribes({ operation }: ToolEntry, { api }: LintSubject): boolean {
  const read = operation === undefined ? undefined : operationOf(operation, api);
  return [read?.summary, read?.description].some((text) => (text ?? "").trim() !== "");
}

function placeOfUse(name: string, entry: ToolEntry): LintFinding["at"] {
  return entry.use === undefined ? ["tools", name] : ["tools", name, "use"];
}

function isCompact({ curation }: LintSubject): boolean {
  return curation.content.server.descriptions === "compact";
}

export const DESCRIPTION_RULES: readonly LintRule[] = [
  descriptionMissing,
  descriptionOfSpec,
  descriptionRepeats,
  descriptionShort,
  returnsUnsaid,
  effectUnsaid,
];
