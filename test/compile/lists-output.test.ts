import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { apiOfText, compileText, curationText, toolOf } from "./compile-text.ts";
import { LISTS_SPEC } from "./lists-spec.ts";

const api = await apiOfText(LISTS_SPEC);

function outputOf(result = "", tool = "") {
  const text = `list_charges:\n  operation: listCharges\n  use: List.\n${tool}  result: {rows: rows, fields: {id: id, cost: cost}${result}}`;
  return toolOf(compileText(api, curationText(text, { api: "pages: [{style: page, send: page}]" }))).outputSchema!;
}

const WALK = ", totals: {measure: cost, walk: {maxPages: 3}}";

test("a list's reply names its keys in their order, and those that can be there only", () => {
  const keysOf = (schema: ReturnType<typeof outputOf>) => Object.keys(schema.properties ?? {});
  expect(keysOf(outputOf())).toEqual(["rowCount", "hasMore", "nextPageToken", "note", "omitted", "data"]);
  const filter = "  filter: {to: query.team, dialect: odata, fields: {cost: {type: decimal}}}\n";
  expect(keysOf(outputOf(WALK, filter))).toEqual([
    "summary",
    "other",
    "rowCount",
    "hasMore",
    "nextPageToken",
    "note",
    "appliedFilter",
    "omitted",
    "data",
  ]);
  const hidden = filter.replace("dialect", "hidden: true, always: {cost.gt: 5}, dialect");
  expect(keysOf(outputOf("", hidden))).not.toContain("appliedFilter");
});

test("a count has no shares, and a total has them", () => {
  const summaryOf = (result: string) => Object.keys(outputOf(result).properties?.["summary"]?.properties ?? {});
  expect(summaryOf(", totals: {count: total}")).toEqual([
    "total",
    "atLeast",
    "returned",
    "measure",
    "caveats",
    "totalWithheld",
  ]);
  expect(summaryOf(WALK)).toEqual(
    expect.arrayContaining([
      "total",
      "sumReturned",
      "pctOfTotalShown",
      "currency",
      "unit",
      "totals",
      "gross",
      "returned",
    ]),
  );
  expect(outputOf(", totals: {count: total}").properties).not.toHaveProperty("other");
});

test("it is portable and holds for the reply of the contract, for one with a total of many digits, and for an empty body", () => {
  const schema = outputOf(WALK);
  expect(JSON.stringify(schema)).not.toMatch(/"(\$ref|anyOf|oneOf|allOf|const|format|additionalProperties|required)":/);
  const holds = new Ajv2020({ strict: false }).compile(schema);
  const head = { rowCount: 1, hasMore: true, nextPageToken: "x", note: "n", omitted: [{ what: "text" }] };
  const summary = {
    total: 184203.17,
    sumReturned: 171509.4,
    pctOfTotalShown: 93.11,
    currency: "USD",
    returned: 1,
    measure: "cost",
  };
  expect(holds({ summary, other: { sum: 12693.77, pct: 6.89 }, ...head, data: [{ id: "a", cost: 1 }] })).toBe(true);
  const units = { returned: 2, totals: [{ measure: "cost", currency: "USD", total: "12345678901234567890.12" }] };
  expect(holds({ summary: units, ...head, data: [{ id: null, cost: null }] })).toBe(true);
  const withheld = {
    returned: 1,
    totalWithheld: { code: "PARTIAL_PAGES", reason: "r" },
    caveats: [{ code: "A", note: "b" }],
  };
  expect(holds({ summary: withheld, ...head, data: [] })).toBe(true);
  expect(holds({ done: true })).toBe(true);
  expect(holds({ ...head, summary: { returned: "1" }, data: [] })).toBe(false);
});
