import { ownValue } from "../../../model/json.ts";
import type { LintRule } from "../lint-rule.ts";
import { countNames } from "./count-names.ts";
import { bodyOf, columnsOf, typeOf } from "./reply-columns.ts";
import { smallestRow } from "./row-size.ts";

/** Claude Code warns at 10,000 tokens and puts what has over 50,000 characters into a file. */
const BUDGETS = [
  { severity: "warning", bytes: 50_000, what: "some clients show a file's name in its place" },
  { severity: "note", bytes: 40_000, what: "clients warn of over 10,000 tokens" },
] as const;

const replyLarge: LintRule = {
  code: "reply_large",
  severity: "warning",
  title: "A budget that clients cut",
  why: "Codex and Copilot cut at some 10 kB, Claude Code warns at 10,000 tokens and refuses 25,000: what is cut by a client is cut silently.",
  *check({ tools }) {
    for (const [name, { shape }] of tools) {
      const over = BUDGETS.find(({ bytes }) => shape.budget > bytes);
      if (over === undefined) continue;
      const message = `A reply may have ${shape.budget} bytes, and ${over.what}.`;
      const hint = `Set \`budget\` to ${over.bytes / 1_000}kB or less; what is left out is told, and has a way to be read.`;
      yield { severity: over.severity, at: ["tools", name, "result", "budget"], tool: name, message, hint };
    }
  },
};

const limitOverBudget: LintRule = {
  code: "limit_over_budget",
  severity: "warning",
  title: "A limit that never fits the budget",
  why: "A caller is promised so many rows and never gets them: the reply is cut at the budget each time.",
  *check(subject) {
    for (const [name, tool] of subject.tools) {
      const { shape } = tool;
      if (shape.kind !== "list" || shape.group !== undefined) continue;
      const columns = columnsOf(tool, subject);
      const row = smallestRow(columns);
      const wanted = shape.limit?.default ?? 0;
      if (columns.length > 0 && row * wanted > shape.budget) {
        const message = `The default of ${wanted} rows never fits: the smallest row has ${row} bytes, and the budget of ${shape.budget} holds at most ${Math.floor(shape.budget / row)}.`;
        const hint = "Lower `limit.default`, choose fewer fields, or raise `budget`.";
        yield { severity: "warning", at: ["tools", name, "result", "limit"], tool: name, message, hint };
      }
    }
  },
};

const cellOverBudget: LintRule = {
  code: "cell_over_budget",
  severity: "note",
  title: "A value that can fill the reply",
  why: "The longest value that the spec allows is over the budget by itself: it would be cut inside, and its row stand alone.",
  *check(subject) {
    for (const [name, tool] of subject.tools) {
      if (tool.shape.kind !== "list") continue;
      for (const { name: column, clip, schema } of columnsOf(tool, subject)) {
        const most = schema?.maxLength ?? 0;
        if (clip !== undefined || most <= tool.shape.budget) continue;
        const message = `\`${column}\` may have ${most} characters, and the budget of the whole reply is ${tool.shape.budget} bytes.`;
        const at = ["tools", name, "result", "fields", column];
        yield { severity: "note", at, tool: name, message, hint: "Add `clip`, or leave the column out." };
      }
    }
  },
};

const listWithoutLimit: LintRule = {
  code: "list_without_limit",
  severity: "note",
  title: "A list without a limit",
  why: "Without `limit` a caller cannot ask for less, and each reply is as long as the budget allows.",
  *check({ tools }) {
    for (const [name, { shape }] of tools) {
      if (shape.kind !== "list" || shape.limit !== undefined) continue;
      const message = "Callers cannot say how many rows they want.";
      const hint = "Write `limit: { default: …, max: … }` under `result`.";
      yield { severity: "note", at: ["tools", name, "result"], tool: name, message, hint };
    }
  },
};

const MANY_NAMES = 40;
const FEW_NAMES = 15;

const replyUnselected: LintRule = {
  code: "reply_unselected",
  severity: "warning",
  title: "A body that is handed on whole",
  why: "Most of an API's answer is of no use to an agent; leaving fields out saves more tokens than any format.",
  *check({ curation, api, toolset, tools }) {
    for (const [name, tool] of tools) {
      const { shape } = tool;
      const entry = ownValue(curation.content.tools, name);
      if (shape.kind === "value" || shape.fields !== undefined || shape.text !== undefined) continue;
      if (entry?.accept !== undefined && !/json/i.test(entry.accept)) continue;
      const body = bodyOf(tool, toolset, api);
      const names = body === undefined ? 0 : countNames(body, api, MANY_NAMES + 1);
      if (names <= FEW_NAMES) continue;
      const many = names > MANY_NAMES ? `over ${MANY_NAMES}` : String(names);
      const message = `The upstream's answer is handed on as it is: ${many} names in the spec, and no \`fields\` chosen.`;
      const at = entry?.result === undefined ? ["tools", name] : ["tools", name, "result"];
      const hint = "Choose `fields` under `result`.";
      yield { severity: names > MANY_NAMES ? "warning" : "note", at, tool: name, message, hint };
    }
  },
};

/** What people write into without end. */
const PROSE =
  /^(?:description|body|body_?html|html|text|markdown|diff|patch|logs?|stack|stack_?trace|raw|payload|bio)$/i;

const columnUnbounded: LintRule = {
  code: "column_unbounded",
  severity: "warning",
  title: "A column without an end",
  why: "One long text pushes all other rows out of the reply: a reply of 87,000 tokens is on record.",
  *check(subject) {
    for (const [name, tool] of subject.tools) {
      if (tool.shape.kind === "value") continue;
      for (const { name: column, path, clip, schema } of columnsOf(tool, subject)) {
        if (clip !== undefined || schema === undefined || typeOf(schema) !== "string") continue;
        const at = ["tools", name, "result", "fields", column];
        const isBytes = schema.format === "byte" || schema.format === "binary" || schema.contentEncoding === "base64";
        if (isBytes) {
          const message = `\`${column}\` holds bytes, which an agent cannot read.`;
          yield { severity: "warning", at, tool: name, message, hint: "Leave the column out." };
          continue;
        }
        const isOpen = schema.maxLength === undefined && schema.enum === undefined && schema.format === undefined;
        if (tool.shape.kind !== "list" || !isOpen || !PROSE.test(path.jmespath.split(".").at(-1) ?? "")) continue;
        const message = `\`${column}\` is a text without an end, in each row.`;
        yield { severity: "note", at, tool: name, message, hint: "Add `clip: 200`, or `clip: first-sentence`." };
      }
    }
  },
};

export const SIZE_RULES: readonly LintRule[] = [
  replyLarge,
  limitOverBudget,
  cellOverBudget,
  listWithoutLimit,
  replyUnselected,
  columnUnbounded,
];
