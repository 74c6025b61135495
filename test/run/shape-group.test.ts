import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/model/json.ts";
import type { Group } from "../../src/model/shape.ts";
import { column, dataOf, list, replyTo, replyWith, TOKENS, value, whole } from "./shape-fixture.ts";

const COST = column("cost", { round: 2, unit: value("currency") });
const group = (more: Partial<Group> = {}): Group => ({
  by: ["service"],
  sum: ["cost"],
  count: "charges",
  maxPages: 9,
  ...more,
});
const grouped = (more: Parameters<typeof list>[0] = {}) =>
  list({ fields: [column("service"), column("region"), COST, column("hours")], group: group(), ...more });

const charge = (service: Json, cost: Json, currency: Json = "USD", more: JsonObject = {}): JsonObject => ({
  service,
  cost,
  currency,
  ...more,
});

describe("groups", () => {
  test("are added up in decimals, the largest first, with their unit and the number of their rows", () => {
    const rows = [charge("a", 0.1), charge("b", 5), charge("a", 0.2), charge("a", "0.005")];
    expect(dataOf(replyTo(grouped(), { rows }))).toEqual([
      { service: "b", cost: 5, currency: "USD", charges: 1 },
      { service: "a", cost: 0.31, currency: "USD", charges: 3 },
    ]);
  });

  test("of null are groups of their own", () => {
    expect(dataOf(replyTo(grouped(), { rows: [charge(null, 1), charge("null", 2), charge(null, 4)] }))).toEqual([
      { service: null, cost: 5, currency: "USD", charges: 2 },
      { service: "null", cost: 2, currency: "USD", charges: 1 },
    ]);
  });

  test("are never over two units, nor over one and none", () => {
    const rows = [charge("a", 1), charge("a", 2, "EUR"), charge("a", 4, "usd"), charge("a", 8, null)];
    expect(dataOf(replyTo(grouped(), { rows }))).toEqual([
      { service: "a", cost: 8, currency: null, charges: 1 },
      { service: "a", cost: 5, currency: "USD", charges: 2 },
      { service: "a", cost: 2, currency: "EUR", charges: 1 },
    ]);
  });

  test.each([
    [
      "a column grouped by shows it already",
      { by: ["service", "money"] },
      [column("money", { path: { jmespath: "currency" } })],
      ["service", "money", "cost", "charges"],
    ],
    [
      "a column of the reply that shows it gives its name",
      {},
      [column("money", { path: { jmespath: "currency" } })],
      ["service", "cost", "money", "charges"],
    ],
    [
      "its usual name is taken",
      { by: ["service", "currency"] },
      [column("currency", { path: { jmespath: "region" } })],
      ["service", "currency", "cost", "cost_currency", "charges"],
    ],
  ] as const)("the unit has one column: %s", (_, more, fields, want) => {
    const shape = grouped({ fields: [column("service"), COST, ...fields], group: group(more) });
    expect(Object.keys(dataOf(replyTo(shape, { rows: [charge("a", 1)] }))[0] as JsonObject)).toEqual(want);
  });

  test("in a unit that is no currency say `unit`; a unit that the curation fixes needs no column", () => {
    expect(dataOf(replyTo(grouped(), { rows: [charge("a", 1, "GB")] }))).toEqual([
      { service: "a", cost: 1, unit: "GB", charges: 1 },
    ]);
    const fixed = column("cost", { unit: { kind: "literal", value: "USD" } });
    const shape = grouped({ fields: [column("service"), fixed] });
    expect(dataOf(replyTo(shape, { rows: [charge("a", 1)] }))).toEqual([{ service: "a", cost: 1, charges: 1 }]);
  });

  test("with a row that has no number have no sum, and that is said of those that are shown", () => {
    const rows = [charge("a", 1), charge("a", "1,000"), charge("b", 2), charge("c", null)];
    expect(replyTo(grouped(), { rows }).structured).toMatchObject({
      omitted: [
        { what: "value", path: "cost", kept: "no sum in 2 of 3 groups: 2 of their 3 rows have no number (BAD_ROWS)" },
      ],
      data: [{ service: "b" }, { service: "a", cost: null, charges: 2 }, { service: "c", cost: null }],
    });
    expect(replyWith(grouped(), whole(rows), { limit: 1 }, TOKENS).structured).not.toHaveProperty("omitted");
  });

  test.each([
    ["one name", "region", [{ region: "x", cost: 3 }]],
    [
      "several",
      ["service", "region"],
      [
        { service: "b", region: "x", cost: 2 },
        { service: "a", region: "x", cost: 1 },
      ],
    ],
    ["none", undefined, [{ cost: 3 }]],
  ])("are by what callers choose: %s", (_, by, want) => {
    const shape = grouped({ group: { by: [value("input.by")], sum: ["cost"], maxPages: 9 } });
    const rows = [charge("a", 1, "USD", { region: "x" }), charge("b", 2, "USD", { region: "x" })];
    const data = dataOf(replyTo(shape, { rows }, by === undefined ? {} : { by }));
    expect(data).toEqual(want.map((one) => ({ ...one, currency: "USD" })));
  });

  test("by a column that is added up are refused", () => {
    const shape = grouped({ group: group({ by: [value("input.by")], sum: ["cost"] }) });
    expect(() => replyTo(shape, { rows: [] }, { by: "cost" })).toThrow(
      expect.objectContaining({ code: "unknown_fields", message: expect.stringContaining("add up") }),
    );
  });

  test("by a column that rows do not have are refused", () => {
    const shape = grouped({ group: group({ by: [value("input.by")] }) });
    expect(() => replyTo(shape, { rows: [] }, { by: "servcie" })).toThrow(
      expect.objectContaining({ code: "unknown_fields", detail: expect.objectContaining({ nearest: ["service"] }) }),
    );
  });

  test("stand in the order of the curation, and are found before they are cut", () => {
    const order = [{ by: [{ column: "charges", descending: true }] }];
    const rows = [charge("a", 9), charge("b", 1), charge("b", 1), charge("c", 5)];
    const { structured } = replyWith(grouped({ order }), whole(rows), { limit: 2 }, TOKENS);
    expect(structured).toMatchObject({
      rowCount: 2,
      hasMore: true,
      note: expect.stringMatching(/^2 of 3 groups\./),
      data: [{ service: "b", charges: 2 }, { service: "a" }],
    });
  });

  test.each([
    ["out of reach", whole([charge("a", 1)], { unreachable: true })],
    ["cut off", whole([charge("a", 1)], { unreachable: true, cut: "the time was up" })],
  ])("over rows of which a part is %s are refused", (_, read) => {
    expect(() => replyWith(grouped(), read)).toThrow(expect.objectContaining({ code: "response_too_large" }));
  });

  test("add up to all rows, in whatever order these come, and each row is in one", () => {
    const row = fc.record({
      service: fc.constantFrom("a", "b", null, 1, "1"),
      cost: fc.oneof(
        fc.integer({ min: -1_000, max: 1_000 }).map((n) => n / 100),
        fc.integer().map(String),
      ),
      currency: fc.constantFrom("USD", "EUR", null),
    });
    const given = fc
      .array(row, { maxLength: 40 })
      .chain((rows) => fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length })));
    fc.assert(
      fc.property(given, ([rows, shuffled]) => {
        const reply = replyTo(grouped(), { rows });
        expect(dataOf(replyTo(grouped(), { rows: shuffled }))).toEqual(dataOf(reply));
        const data = dataOf(reply) as { service: Json; currency: Json; cost: number; charges: number }[];
        expect(data.reduce((sum, { charges }) => sum + charges, 0)).toBe(rows.length);
        for (const one of data) {
          const members = rows.filter(({ service, currency }) => service === one.service && currency === one.currency);
          const cents = members.reduce((sum, { cost }) => sum + Math.round(Number(cost) * 100), 0);
          expect(Math.round(one.cost * 100)).toBe(cents);
        }
      }),
    );
  });
});
