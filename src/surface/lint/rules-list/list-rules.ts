import type { LintFinding, LintRule } from "../lint-rule.ts";
import { keysByListedName } from "../tool-keys.ts";
import { findOverlaps } from "./find-overlaps.ts";

const toolsOverlap: LintRule = {
  code: "tools_overlap",
  severity: "warning",
  title: "Two tools for the same",
  why: "Tools that look alike are what agents confuse most; each must say when the other is meant.",
  *check(subject) {
    for (const { name, other, why } of findOverlaps(subject)) {
      const isSame = why === "requests";
      const message = isSame
        ? `It sends the same as \`${other}\` with the same inputs, and neither says when the other is meant.`
        : `Its description says almost the same as that of \`${other}\`, and neither says when the other is meant.`;
      const hint = `Name \`${other}\` in \`notFor\`, or make one tool of the two.`;
      yield { severity: isSame ? "warning" : "note", at: ["tools", name], tool: name, message, hint };
    }
  },
};

interface Bound {
  readonly severity: "warning" | "note";
  readonly tools: number;
  readonly tokens: number;
}

/** The worst first. */
const LIST_BOUNDS: readonly Bound[] = [
  { severity: "warning", tools: 40, tokens: 20_000 },
  { severity: "note", tools: 20, tokens: 8_000 },
];

const listLong: LintRule = {
  code: "list_long",
  severity: "warning",
  title: "A long list of tools",
  why: "Agents choose worse from more than some 20 tools, some clients show 40 and no more, and every token of the list is paid in every conversation.",
  *check({ listed, cost }) {
    const tokens = cost?.list.tokens ?? 0;
    const over = LIST_BOUNDS.find((bound) => listed.length > bound.tools || tokens > bound.tokens);
    if (over === undefined) return;
    const message = `The list has ${listed.length} tools${cost === undefined ? "" : ` and ${tokens} tokens`}, and should have at most ${over.tools} and ${over.tokens}.`;
    const hint =
      "Make one tool of calls that belong together, split the server, choose by tags, or set `descriptions: compact`.";
    yield { severity: over.severity, at: ["tools"], message, hint };
  },
};

/** Typical are 200; one with a filter of many fields has some 1,000. */
const LONG_TOOL = 1_500;

const toolLong: LintRule = {
  code: "tool_long",
  severity: "note",
  title: "A tool that costs much",
  why: "A definition is read in every conversation, whether the tool is called or not.",
  *check({ listed, cost, tools }) {
    const keys = keysByListedName(tools);
    for (const [index, { name }] of listed.entries()) {
      const tokens = cost?.tools[index]?.tokens ?? 0;
      const key = keys.get(name)?.at(-1);
      if (tokens <= LONG_TOOL || key === undefined) continue;
      const message = `\`${name}\` has ${tokens} tokens in the list; most tools have under 500.`;
      const hint = "Offer fewer inputs, or a type of your own for an input that is a large object.";
      yield { severity: "note", at: ["tools", key], tool: key, message, hint };
    }
  },
};

const instructionsMissing: LintRule = {
  code: "instructions_missing",
  severity: "note",
  title: "A server without instructions",
  why: "What holds for every tool (units, time zones, where to begin) is read once, and by clients that load tools on demand it is all that is read at first.",
  *check({ curation, tools }) {
    if (curation.content.server.instructions !== undefined || tools.size < 3) return;
    const message = "The server says nothing that holds for all of its tools.";
    const hint = "Write `instructions`: units, time zone, how things are named, where to begin.";
    yield { severity: "note", at: ["server"], message, hint } satisfies LintFinding;
  },
};

export const LIST_RULES: readonly LintRule[] = [toolsOverlap, listLong, toolLong, instructionsMissing];
