import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/model/json.ts";
import { addUp } from "../../../src/run/totals/add-up.ts";
import { readAmount } from "../../../src/run/totals/read-amount.ts";
import { withhold } from "../../../src/run/totals/total-read.ts";
import { column, expression, list, part, replyWith, TOKENS, value, whole } from "../shape-fixture.ts";
import { aggregate, codesOf, costs, facts, replyBeside, says, spend } from "./totals-fixture.ts";

// The 26 rules of an honest total, by their numbers. Not here, for nothing in a reply could break them:
// 8 and 9 beyond `additive: false` (what may not be added is the author's to say), 13's means (there are none), 15 (list and total are compared, by
// rule 4, and neither is preferred), 16 (no two periods are compared), 17 (ranges are told by the inputs), 19 and 25 (the author's caveats, as 18).

const summaryOf = (reply: { structured: JsonObject }) => reply.structured.summary as JsonObject;

describe("the contract's sample", () => {
  test("a page of the largest groups, its share and the rest", () => {
    const rows = costs([165_000, 6_509.4, 6_500, 6_193.77]);
    const shape = spend({
      limit: { default: 2, max: 1000 },
      fields: [...spend().fields!, { kind: "columns", names: value("`[]`") }],
    });
    const { structured } = replyBeside(says({ USD: 184_203.17 }), rows, 2, shape);
    expect(structured.summary).toEqual({
      total: 184_203.17,
      sumReturned: 171_509.4,
      pctOfTotalShown: 93.11,
      currency: "USD",
      returned: 2,
      measure: "cost",
    });
    expect(structured.other).toEqual({ sum: 12_693.77, pct: 6.89 });
    expect(structured.note).toBe(
      "Top 2 groups by cost = 93.11% of the total. Raise `limit` (max 1000) or pass nextPageToken as `pageToken` for more.",
    );
    expect(Object.keys(structured)).toEqual([
      "summary",
      "other",
      "rowCount",
      "hasMore",
      "nextPageToken",
      "note",
      "data",
    ]);
  });
});

describe("1: a total of which only some pages were read is withheld", () => {
  test("whatever stands in its place, with the rows and the way", () => {
    const { structured } = replyBeside(
      withhold("PARTIAL_PAGES", "There are more. Narrow the arguments."),
      costs([1, 2]),
    );
    expect(structured.summary).toEqual({
      returned: 2,
      totalWithheld: { code: "PARTIAL_PAGES", reason: "There are more. Narrow the arguments." },
    });
    expect(structured).not.toHaveProperty("other");
  });

  test("a sum over the list's own rows is, where the upstream has more", () => {
    const shape = spend({ totals: { kind: "walk", measure: "cost", additive: true, caveats: [], maxPages: 3 } });
    const read = whole(costs([1, 2]), { unreachable: true });
    expect(facts(replyBeside({ kind: "list", caveats: [] }, read, undefined, shape))).toMatchObject({
      summary: { returned: 2, totalWithheld: { code: "PARTIAL_PAGES" } },
    });
  });
});

test("a total that the upstream does not state, though there are rows, is withheld as such", () => {
  for (const cost of [{}, { unit: undefined }])
    expect(facts(replyBeside(says({}), costs([1, 2]), undefined, spend({}, cost as object)))).toEqual({
      summary: { returned: 2, totalWithheld: { code: "BAD_ROWS", reason: expect.stringContaining("no total") } },
    });
});

describe("2: a bound is never a total", () => {
  const shape = list({ totals: { kind: "count", count: expression("n") } });
  test.each([
    ["an exact count", true, { total: 375, returned: 2, measure: "rows" }],
    [
      "a count that is only a lower bound",
      false,
      {
        atLeast: 375,
        returned: 2,
        measure: "rows",
        totalWithheld: { code: "TOTAL_IS_BOUND", reason: expect.any(String) },
      },
    ],
  ] as const)("%s", (_, exact, want) => {
    const read = part([1, 2, 3], { more: true });
    expect(
      replyWith(shape, read, { limit: 2 }, { ...TOKENS, total: { kind: "count", count: 375, exact } }).structured,
    ).toMatchObject({
      summary: want,
      note: exact
        ? expect.stringMatching(/^2 of 375 rows\./)
        : expect.stringMatching(/^The first 2 rows; there are more\./),
    });
  });
});

describe("3: where signs mix there are no shares", () => {
  test("all rows known: gross is told", () => {
    const reply = replyBeside(says({ USD: 70 }), costs([100, -30]), 1);
    expect(facts(reply)).toEqual({
      summary: {
        total: 70,
        sumReturned: 100,
        gross: { positive: 100, negative: -30 },
        currency: "USD",
        returned: 1,
        measure: "cost",
        caveats: [{ code: "MIXED_SIGNS", note: expect.any(String) }],
      },
      other: { sum: -30 },
    });
  });

  test("rows beyond this page: gross is not", () => {
    const reply = replyBeside(says({ USD: 700 }), part(costs([100, -30, 5]), { more: true }), 2);
    expect(codesOf(reply)).toEqual(["MIXED_SIGNS"]);
    expect(summaryOf(reply)).not.toHaveProperty("gross");
    expect(reply.structured["other"]).toEqual({ sum: 630 });
  });

  test("nor are shares told where a row that was read, and is not shown, is negative", () => {
    const reply = replyBeside(says({ USD: 700 }), part(costs([100, 30, -5]), { more: true }), 2);
    expect(codesOf(reply)).toEqual(["MIXED_SIGNS"]);
    expect(summaryOf(reply)).not.toHaveProperty("pctOfTotalShown");
    expect(summaryOf(reply)).not.toHaveProperty("gross");
  });

  const walked = (amounts: readonly number[]) => {
    const shape = spend({ totals: { kind: "walk", measure: "cost", additive: true, caveats: [], maxPages: 3 } });
    const terms = amounts.map((amount) => ({ amount: readAmount(amount), unit: "USD" }));
    const total = { kind: "rows", sums: addUp(terms), caveats: [] } as const;
    return replyBeside(total, part(costs(amounts.slice(0, 3)), { more: true }), 2, shape);
  };

  test("a walk knows all rows: gross is told, wherever the negative ones stand", () => {
    for (const amounts of [
      [5, 4, 3, -10, 8, 2],
      [5, 4, -10, 3, 8, 2],
    ]) {
      expect(facts(walked(amounts))).toEqual({
        summary: {
          total: 12,
          sumReturned: 9,
          gross: { positive: 22, negative: -10 },
          currency: "USD",
          returned: 2,
          measure: "cost",
          caveats: [{ code: "MIXED_SIGNS", note: expect.any(String) }],
        },
        other: { sum: 3 },
      });
    }
  });

  test("a walk over rows of one sign tells shares", () => {
    expect(facts(walked([5, 4, 3, 8]))).toMatchObject({
      summary: { total: 20, pctOfTotalShown: 45 },
      other: { pct: 55 },
    });
  });
});

describe("4: a total that the rows do not give", () => {
  test("is shown beside their sum and the difference", () => {
    const reply = replyBeside(says({ USD: 100 }), costs([60, 39.5]), 1);
    expect(facts(reply)).toEqual({
      summary: {
        total: 100,
        sumReturned: 60,
        sumOfRows: 99.5,
        difference: 0.5,
        currency: "USD",
        returned: 1,
        measure: "cost",
        caveats: [{ code: "RECONCILE_DIFF", note: expect.stringContaining("All 2 rows") }],
      },
    });
  });

  test("a difference that rounding would hide is shown in full", () => {
    const summary = summaryOf(replyBeside(says({ USD: "0.301" }), costs(["0.1", "0.2"])));
    expect(summary).toMatchObject({ sumOfRows: 0.3, difference: 0.001 });
  });

  test.each([
    ["a count below what came is withheld", 1, { returned: 2, totalWithheld: { code: "RECONCILE_DIFF" } }],
    ["a count above all that came is told", 5, { total: 5, caveats: [{ code: "RECONCILE_DIFF" }] }],
    ["a count of what came is fine", 2, { total: 2 }],
  ] as const)("%s", (_, count, want) => {
    const shape = list({
      totals: { kind: "count", count: expression("n") },
      order: [{ by: [{ column: "name", descending: false }] }],
    });
    expect(
      summaryOf(replyBeside({ kind: "count", count, exact: true }, costs([1, 2]), undefined, shape)),
    ).toMatchObject(want);
  });
});

describe("5 and 6: units are never mixed", () => {
  const both = costs([
    { cost: 5, currency: "USD" },
    { cost: 7, currency: "EUR" },
  ]);
  test("one total a unit", () => {
    expect(
      facts(
        replyBeside(
          says({ USD: 10, EUR: 7 }),
          both,
          1,
          spend({ order: [{ by: [{ column: "name", descending: false }] }] }),
        ),
      ),
    ).toMatchObject({
      summary: {
        returned: 1,
        totals: [
          { measure: "cost", currency: "EUR", total: 7, sumReturned: 0, pctOfTotalShown: 0 },
          { measure: "cost", currency: "USD", total: 10, sumReturned: 5 },
        ],
      },
    });
  });

  test("units that are no currencies are called units", () => {
    const rows = costs([
      { cost: 5, currency: "GB" },
      { cost: 7, currency: "GiB" },
    ]);
    expect(summaryOf(replyBeside(says({ GB: 5, GiB: 7 }), rows)).totals).toMatchObject([
      { unit: "GB" },
      { unit: "GiB" },
    ]);
    expect(summaryOf(replyBeside(says({ GB: 5 }), costs([5], "GB")))).toMatchObject({ total: 5, unit: "GB" });
  });

  test.each([
    ["one number, and rows in two currencies", says({ "-": 12 }), whole(both), "MIXED_CURRENCY"],
    [
      "one number, and rows in two other units",
      says({ "-": 12 }),
      whole(
        costs([
          { cost: 5, currency: "GB" },
          { cost: 7, currency: "GiB" },
        ]),
      ),
      "MIXED_UNITS",
    ],
    [
      "one number, and a row without a unit",
      says({ "-": 12 }),
      whole(
        costs([
          { cost: 5, currency: "USD" },
          { cost: 7, currency: null },
        ]),
      ),
      "MIXED_CURRENCY",
    ],
    [
      "one number, and rows beyond this page that may have another",
      says({ "-": 12 }),
      part(costs([5, 6]), { more: true }),
      "MIXED_CURRENCY",
    ],
    ["a total in one currency, and rows in another", says({ EUR: 12 }), whole(costs([12])), "MIXED_CURRENCY"],
    ["a part of the total without a unit", says({ EUR: 12, "-": 1 }), whole(costs([12], "EUR")), "MIXED_CURRENCY"],
  ] as const)("%s", (_, total, read, code) => {
    expect(summaryOf(replyBeside(total, read)).totalWithheld).toMatchObject({
      code,
      reason: expect.stringMatching(/one (currency|unit) at a time/),
    });
  });

  test("one number is in the one currency of all rows, whatever its letter case", () => {
    expect(summaryOf(replyBeside(says({ "-": 12 }), costs([5, 7], "usd")))).toMatchObject({
      total: 12,
      currency: "USD",
    });
    expect(summaryOf(replyBeside(says({ USD: 12 }), costs([5, 7], "usd")))).toMatchObject({
      total: 12,
      currency: "USD",
    });
  });

  test("one number is in the unit that the curation says, rows beyond this page or not", () => {
    const shape = spend({}, { unit: { kind: "literal", value: "hours" } });
    expect(summaryOf(replyBeside(says({ "-": 12 }), part(costs([5, 6]), { more: true }), 1, shape))).toMatchObject({
      total: 12,
      unit: "hours",
    });
  });

  test("rows of which nobody says a unit are not split over several", () => {
    const shape = list({ fields: [column("name"), column("cost")], totals: aggregate() });
    const reply = replyBeside(says({ USD: 10, EUR: 7 }), costs([5, 7]), undefined, shape);
    expect(summaryOf(reply).totals).toEqual([
      { measure: "cost", currency: "EUR", total: 7 },
      { measure: "cost", currency: "USD", total: 10 },
    ]);
    expect(codesOf(reply)).toEqual(["MIXED_CURRENCY"]);
  });
});

describe("7: decimals, rounded once", () => {
  test("tenths add up as they do on paper", () => {
    const reply = replyBeside(says({ USD: 0.3 }), costs([0.1, 0.2]));
    expect(summaryOf(reply)).toMatchObject({ total: 0.3, sumReturned: 0.3, pctOfTotalShown: 100 });
    expect(codesOf(reply)).toEqual([]);
  });

  test("numbers that came rounded by the wire itself are no difference", () => {
    const rows = costs([1234567.123456789, 7654321.987654321]);
    expect(codesOf(replyBeside(says({ USD: 8888889.11111111 }), rows))).toEqual([]);
  });

  test("not all is shown, so it is never 100%", () => {
    const reply = replyBeside(says({ USD: 1_000_000 }), costs([999_999.99, 0.01]), 1);
    expect(facts(reply)).toMatchObject({ summary: { pctOfTotalShown: 99.99 }, other: { sum: 0.01, pct: 0.01 } });
  });

  test("a sum of more digits than a number has is a text", () => {
    expect(
      summaryOf(replyBeside(says({ USD: "12345678901234567.89" }), costs(["12345678901234567.89"]))),
    ).toMatchObject({
      total: "12345678901234567.89",
    });
  });
});

describe("8, 9 and 11: what may not be added", () => {
  test("a measure that is not additive has its total and no shares", () => {
    const shape = spend({ totals: aggregate({ additive: false }) });
    expect(facts(replyBeside(says({ USD: 9 }), costs([5, 5]), 1, shape))).toEqual({
      summary: {
        total: 9,
        currency: "USD",
        returned: 1,
        measure: "cost",
        caveats: [{ code: "NOT_ADDITIVE", note: expect.any(String) }],
      },
    });
  });

  test("groups that are more than the total overlap", () => {
    const reply = replyBeside(says({ USD: 9 }), part(costs([5, 5, 1]), { more: true }), 2);
    expect(codesOf(reply)).toEqual(["OVERLAPPING_GROUPS"]);
    expect(summaryOf(reply)).toMatchObject({ total: 9, sumReturned: 10 });
    expect(summaryOf(reply)).not.toHaveProperty("pctOfTotalShown");
  });
});

describe("10: no shares of nothing", () => {
  test.each([[0], [-5]])("of a total of %d", (total) => {
    const reply = replyBeside(says({ USD: total }), costs([total]));
    expect(codesOf(reply)).toEqual(["UNDEFINED_RATIO"]);
    expect(summaryOf(reply)).toMatchObject({ total, sumReturned: total });
    expect(summaryOf(reply)).not.toHaveProperty("pctOfTotalShown");
  });
});

describe("12: the rest beside the first rows", () => {
  const read = (more: object) => part(costs([60, 30]), more);
  test.each([
    ["is told on the first page", says({ USD: 100 }), read({ more: true }), 1, { sum: 40, pct: 40 }],
    ["is not where nothing remains", says({ USD: 90 }), read({}), undefined, undefined],
    ["is not where nothing remains but rows of zero", says({ USD: 90 }), read({ more: true }), undefined, undefined],
    ["is not where the total is withheld", withhold("PART_FAILED", "No."), read({ more: true }), 1, undefined],
  ] as const)("%s", (_, total, list, limit, want) => {
    expect(replyBeside(total, list, limit).structured.other).toEqual(want);
  });

  test("is not on later pages", () => {
    const token = { position: { kind: "row", at: 1 } } as const;
    const reply = replyWith(
      spend(),
      whole(costs([60, 30, 10])),
      { limit: 1 },
      { ...TOKENS, total: says({ USD: 100 }), token },
    );
    expect(reply.structured.other).toBeUndefined();
    expect(reply.structured).toMatchObject({
      summary: { pctOfTotalShown: 30 },
      note: expect.stringMatching(/^Row 2 by cost = 30% of the total\./),
    });
  });
});

test("14: rows that moved between two pages are told", () => {
  const reply = replyBeside(says({ USD: 100 }), part(costs([60]), { at: 5, drifted: true }));
  expect(reply.structured.note).toContain("SNAPSHOT_DRIFT");
});

test("18, 19 and 25: what the author knows of a total is told beside it", () => {
  const caveats = [{ code: "ESTIMATED", note: "The running month is an estimate." }];
  expect(summaryOf(replyBeside(says({ USD: 5 }, caveats), costs([5]))).caveats).toEqual(caveats);
});

test("20: rows that we searched are no share of a total over all", () => {
  const shape = spend({ search: { kind: "literal", value: "n1" } });
  expect(summaryOf(replyBeside(says({ USD: 100 }), costs([1, 2]), undefined, shape)).totalWithheld).toMatchObject({
    code: "POST_FILTERED",
  });
  const counted = list({ search: { kind: "literal", value: "n1" }, totals: { kind: "count", count: expression("n") } });
  expect(
    summaryOf(
      replyBeside(
        { kind: "count", count: 2, exact: true },
        whole(costs([1, 2]), { unreachable: true }),
        undefined,
        counted,
      ),
    ),
  ).toMatchObject({
    totalWithheld: { code: "POST_FILTERED" },
  });
});

test("21: a total whose request failed is withheld", () => {
  expect(summaryOf(replyBeside(withhold("PART_FAILED", "No answer."), costs([1])))).toMatchObject({
    totalWithheld: { code: "PART_FAILED" },
  });
});

describe("22 and 23: rows without a number", () => {
  test.each([["1,234.5"], [null], ["NaN"], ["1e400"], [""], [true], [" 5"], [{ amount: 5 }]])(
    "%j is in no sum",
    (bad) => {
      const reply = replyBeside(says({ USD: 9 }), costs([5, { cost: bad }]));
      expect(codesOf(reply)).toEqual(["BAD_ROWS"]);
      expect(summaryOf(reply)).toEqual({
        total: 9,
        currency: "USD",
        returned: 2,
        measure: "cost",
        caveats: [{ code: "BAD_ROWS", note: "`cost` is missing or no number in 1 of 2 rows shown." }],
      });
    },
  );

  test("a sum over all rows is withheld for one of them", () => {
    const shape = spend({ totals: { kind: "walk", measure: "cost", additive: true, caveats: [], maxPages: 3 } });
    expect(
      summaryOf(replyBeside({ kind: "list", caveats: [] }, costs([5, "n/a"]), undefined, shape)).totalWithheld,
    ).toEqual({
      code: "BAD_ROWS",
      reason: "`cost` is missing or no number in 1 of 2 rows, so there is no total.",
    });
  });

  test("texts of digits are numbers", () => {
    expect(summaryOf(replyBeside(says({ USD: "12.50" }), costs(["7.25", "5.25"])))).toMatchObject({
      total: 12.5,
      sumReturned: 12.5,
    });
  });
});

test("24: what is counted is named", () => {
  const shape = list({
    fields: [column("name"), column("cost")],
    group: { by: ["name"], sum: ["cost"], maxPages: 9 },
    totals: { kind: "count", count: expression("n") },
  });
  const rows = costs([
    { name: "a", cost: 1 },
    { name: "a", cost: 2 },
    { name: "b", cost: 3 },
  ]);
  expect(summaryOf(replyBeside({ kind: "count", count: 3, exact: true }, rows, undefined, shape))).toEqual({
    total: 3,
    returned: 2,
    measure: "rows before grouping",
  });
});

describe("26: an empty list says why", () => {
  test.each([
    ["the aggregate has no value either", says({}), /^There is no data/],
    ["the aggregate is zero", says({ USD: 0 }), /^Nothing matches: the total is 0/],
    ["the aggregate knows of data", says({ USD: 5 }), /the total is not zero/],
    [
      "the total was withheld",
      withhold("PART_FAILED", "No."),
      /^The list is empty: nothing matches, or there is no data/,
    ],
  ] as const)("%s", (_, total, want) => {
    const { structured } = replyBeside(total, []);
    expect(structured.note).toMatch(want);
    expect(structured).toMatchObject({ rowCount: 0, hasMore: false, summary: { returned: 0 } });
  });

  test("the author's words come before ours, but never before a total that says otherwise", () => {
    const shape = spend({ emptyNote: "No bills yet." });
    expect(replyBeside(says({ USD: 0 }), [], undefined, shape).structured.note).toBe("No bills yet.");
    expect(replyBeside(says({ USD: 5 }), [], undefined, shape).structured.note).toMatch(/the total is not zero/);
  });
});

test.each([
  ["rows", costs(Array.from({ length: 50 }, (_, at) => ({ cost: at, name: "n".repeat(40) })))],
  ["one wide row", [{ ...costs([1])[0]!, name: "wide".repeat(500) }, ...costs([2, 3])]],
] as const)("a budget of 1 kB holds beside a total: %s", (_, rows) => {
  const reply = replyBeside(says({ USD: 1225 }), rows, 50, spend({ budget: 1_000 }));
  expect(Buffer.byteLength(reply.text)).toBeLessThanOrEqual(1_000);
  expect(reply.structured).toMatchObject({ summary: { total: 1225 }, hasMore: true });
  expect((reply.structured.data as JsonObject[]).every(({ cost }) => cost !== undefined)).toBe(true);
});

describe("6: a total that the upstream states in minor units", () => {
  const minor = (unit: Parameters<typeof spend>[1] = {}) =>
    spend({}, { form: { as: "minor", unit: value("currency") }, ...unit });
  test("is shown in major ones, each currency by its own digits", () => {
    const rows = [
      ...costs([1050, 2025]),
      ...costs([500], "JPY").map((one) => ({ ...one, name: "j" })),
      ...costs([1234], "KWD"),
    ];
    const { summary } = facts(replyBeside(says({ USD: 3075, JPY: 500, KWD: 1234 }), rows, undefined, minor()));
    expect((summary as JsonObject).totals).toMatchObject([
      { currency: "JPY", total: 500, pctOfTotalShown: 100 },
      { currency: "KWD", total: 1.23, pctOfTotalShown: 100 },
      { currency: "USD", total: 30.75, sumReturned: 30.75, pctOfTotalShown: 100 },
    ]);
    const one = facts(replyBeside(says({ "-": 3075 }), costs([1050, 2025]), 1, minor()));
    expect(one).toMatchObject({ summary: { total: 30.75, currency: "USD" }, other: { sum: 10.5 } });
  });

  test("of a currency that nobody knows is withheld", () => {
    const shape = minor({ form: { as: "minor", unit: value("currency") } });
    const { summary } = facts(replyBeside(says({ pts: 3075 }), [], undefined, shape));
    expect(summary).toMatchObject({ totalWithheld: { code: "MIXED_UNITS" } });
  });
});
