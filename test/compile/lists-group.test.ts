import { describe, expect, test } from "vitest";
import type { Shape } from "../../src/model/shape.ts";
import { apiOfText, compileText, curationText, shown, toolOf } from "./compile-text.ts";
import { LISTS_SPEC } from "./lists-spec.ts";

const api = await apiOfText(LISTS_SPEC);
const FIELDS = "fields: {team: team, cost: {path: cost, unit: currency, round: 2}, tax: tax, paid: paid";

function compile(result: string, fields = `${FIELDS}}`) {
  const input = "input: {columns: {type: 'string[]'}, days: {type: integer}, one: {type: string}}";
  const text = `list_charges:\n  operation: listCharges\n  use: List.\n  ${input}\n  args: {team: "\${input.one}", days: "\${input.days}", columns: "\${input.columns}"}\n  result: {rows: rows, ${fields}, ${result}}`;
  return compileText(api, curationText(text, { api: "pages: [{style: page, send: page}]" }));
}

const listOf = (result: string, fields?: string) =>
  toolOf(compile(result, fields)).shape as Extract<Shape, { kind: "list" }>;
const columnsOf = (result: string, fields?: string) =>
  Object.keys(toolOf(compile(result, fields)).outputSchema?.properties?.["data"]?.items?.properties ?? {});
const value = (jmespath: string) => ({ kind: "expression", expression: { jmespath } });

describe("rows are added up", () => {
  test.each<[string, string, unknown]>([
    ["by one column", "group: {by: team}", { by: ["team"], sum: [], maxPages: 100 }],
    [
      "by columns, with sums, of numbers and of texts, and a count",
      "group: {by: [team, paid], sum: [cost, tax], count: charges, maxPages: 7}",
      { by: ["team", "paid"], sum: ["cost", "tax"], count: "charges", maxPages: 7 },
    ],
    [
      "by what a caller names, one or several",
      'group: {by: ["${input.columns}", "${input.one}"], sum: [cost]}',
      { by: [value("input.columns"), value("input.one")], sum: ["cost"], maxPages: 100 },
    ],
  ])("%s", (_, result, want) => {
    expect(listOf(result).group).toEqual(want);
  });

  test("`...` stands for the columns that `fields` adds", () => {
    const fields = `${FIELDS}, "...": "\${input.columns}"}`;
    expect(listOf('group: {by: [team, "..."], sum: [cost]}', fields).group?.by).toEqual([
      "team",
      value("input.columns"),
    ]);
    expect(shown(compile('group: {by: "..."}').problems)).toEqual([expect.stringContaining("unknown_column")]);
  });

  test("over pages in an order of their own: the groups are all there", () => {
    expect(listOf("group: {by: team, sum: [cost]}, order: [-cost]").order).toEqual([
      { by: [{ column: "cost", descending: true }] },
    ]);
  });
});

describe("the columns of groups", () => {
  test.each<[string, string, string | undefined, string[]]>([
    [
      "are those of the group and nothing else",
      "group: {by: team, sum: [tax], count: n}",
      undefined,
      ["team", "tax", "n"],
    ],
    [
      "and the unit of a sum, which may be a currency or none",
      "group: {by: team, sum: [cost]}",
      undefined,
      ["team", "currency", "unit", "cost"],
    ],
    [
      "under the name of the column that reads it",
      "group: {by: team, sum: [cost]}",
      `${FIELDS}, money: currency}`,
      ["team", "money", "cost"],
    ],
    [
      "once, where it is grouped by",
      "group: {by: [money], sum: [cost]}",
      `${FIELDS}, money: currency}`,
      ["money", "cost"],
    ],
    [
      "and never where the author says one for all",
      "group: {by: team, sum: [cost]}",
      "fields: {team: team, cost: {path: cost, unit: EUR}}",
      ["team", "cost"],
    ],
  ])("%s", (_, result, fields, want) => {
    expect(columnsOf(result, fields)).toEqual(want);
  });

  test("may be of rows as they come", () => {
    const text =
      "list_charges: {operation: listCharges, use: List., result: {rows: rows, group: {by: team, sum: [cost]}}}";
    const { outputSchema } = toolOf(compileText(api, curationText(text)));
    expect(Object.keys(outputSchema?.properties?.["data"]?.items?.properties ?? {})).toEqual(["team", "cost"]);
  });
});

describe("what cannot be added up", () => {
  test.each<[string, string, string]>([
    [
      "no column to group by",
      "group: {by: [teem]}",
      'unknown_column: There is no column "teem" to group by. Did you mean "team"?',
    ],
    [
      "no column to add up",
      "group: {by: team, sum: [cots]}",
      'unknown_column: There is no column "cots" to add up. Did you mean "cost"?',
    ],
    ["a truth", "group: {by: team, sum: [paid]}", 'sum_not_number: "paid" is no number, so it cannot be added up.'],
    [
      "a column twice",
      "group: {by: [team], sum: [cost, cost]}",
      'field_clash: "cost" is a column of the groups already.',
    ],
    ["a column by which it is grouped", "group: {by: cost, sum: [cost]}", 'field_clash: "cost" is a column'],
    [
      "a count that is called as a sum",
      "group: {by: team, sum: [cost], count: cost}",
      'field_clash: "cost" is a column',
    ],
    [
      "an input that is none",
      'group: {by: "${input.colums}"}',
      'unknown_input: "colums" is not in input. Did you mean "columns"?',
    ],
    [
      "a number of columns",
      'group: {by: "${input.days}"}',
      "not_a_list_of_names: `by` takes the name of a column or a list",
    ],
    [
      "an order by what is added up no more",
      "group: {by: team, sum: [cost]}, order: [tax]",
      'unknown_column: There is no column "tax" to order by.',
    ],
  ])("%s", (_, result, want) => {
    const { problems } = compile(result);
    expect(shown(problems)).toEqual([expect.stringContaining(want)]);
    expect(problems[0]?.hint).toMatch(/\w/);
  });
});
