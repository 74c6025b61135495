import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CHANGE_RULES } from "../../src/surface/diff/change-rules.ts";
import { CONDUCT_RULES } from "../../src/surface/diff/compare/rules/conduct-rules.ts";
import { FILTER_RULES } from "../../src/surface/diff/compare/rules/filter-rules.ts";
import { INPUT_RULES } from "../../src/surface/diff/compare/rules/input-rules.ts";
import { LIST_RULES } from "../../src/surface/diff/compare/rules/list-rules.ts";
import { OUTPUT_RULES } from "../../src/surface/diff/compare/rules/output-rules.ts";
import type { RuleFamily } from "../../src/surface/diff/compare/rules/rule-family.ts";
import { LINT_RULES } from "../../src/surface/lint/lint-rules.ts";
import { writeTable } from "../setup/write-table.ts";

// The two pages of rules say what the tables of rules say: `npx vitest run test/surface/rule-pages.test.ts -u` writes what is generated in them.

const pathOf = (page: string): string => join(import.meta.dirname, "../../docs", page);

const SECTIONS: readonly (readonly [title: string, families: readonly RuleFamily[]])[] = [
  ["The list of tools", LIST_RULES],
  ["Inputs", INPUT_RULES],
  ["Replies", OUTPUT_RULES],
  ["What a call does", CONDUCT_RULES],
  ["Filters", FILTER_RULES],
];

function describeFamily({ why, remedy, rules }: RuleFamily): string {
  const rows = rules.map(([rule, is, title]) => [`\`${rule}\``, is, title]);
  return `${why} _To do:_ ${remedy}\n\n${writeTable([["rule", "class", "finds"], ...rows])}`;
}

test("docs/diff-rules.md tells every rule of the diff, with its class, why it matters and what to do", async () => {
  const path = pathOf("diff-rules.md");
  const [intro = ""] = readFileSync(path, "utf8").split("\n## ", 1);
  const sections = SECTIONS.map(([title, families]) => [`## ${title}`, ...families.map(describeFamily)].join("\n\n"));
  await expect(`${intro}\n${sections.join("\n\n")}\n`).toMatchFileSnapshot(path);
  const told = SECTIONS.flatMap(([, families]) => families.flatMap(({ rules }) => rules.map(([rule]) => rule)));
  expect(told).toStrictEqual(CHANGE_RULES.map(({ rule }) => rule));
});

test("docs/rules.md tells every rule of the lint, with its severity and why it matters", async () => {
  const path = pathOf("rules.md");
  const rules = LINT_RULES.toSorted((a, b) => (a.code < b.code ? -1 : 1));
  const rows = rules.map(({ code, severity, title, why }) => [`\`${code}\``, severity, title, why]);
  const all = writeTable([["code", "at worst", "finds", "why it matters"], ...rows]);
  const page = readFileSync(path, "utf8").replace(/^\| code [\s\S]*?(?=\n\n)/m, () => all);
  await expect(page).toMatchFileSnapshot(path);
});
