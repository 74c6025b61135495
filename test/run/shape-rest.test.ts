import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/model/json.ts";
import type { Rest, Shape } from "../../src/model/shape.ts";
import { column, expression, list, replyTo, value } from "./shape-fixture.ts";

// The companion of a summary (contract section 4): what a reply cuts, and which call gives the rest.

const rest = (more: Partial<Rest> = {}): Rest => ({ path: "errors", tool: "list_errors", args: [], ...more });
const summary = (...rests: Rest[]): Shape => ({
  kind: "value",
  value: {
    kind: "object",
    entries: [
      ["title", { kind: "expression", expression: expression("title") }],
      ["errors", { kind: "expression", expression: expression("errors") }],
    ],
  },
  budget: 2_000,
  rest: rests,
});
const told = (shape: Shape, body: Json, input: JsonObject = {}) => replyTo(shape, body, input).structured["omitted"];
const errors = (count: number) => Array.from({ length: count }, (_, at) => ({ at, text: `error ${at}` }));

describe("a list of a summary", () => {
  const cases: [what: string, rest: Rest, body: Json, omitted: unknown][] = [
    ["that is whole", rest({ max: 3 }), { errors: errors(3) }, undefined],
    [
      "with more than its most",
      rest({ max: 3 }),
      { errors: errors(5) },
      [{ what: "items", path: "errors", kept: "3 of 5", get: "`list_errors`" }],
    ],
    [
      "that was read in part",
      rest({ of: expression("total") }),
      { errors: errors(5), total: 3120 },
      [{ what: "items", path: "errors", kept: "5 of 3120", get: "`list_errors`" }],
    ],
    [
      "that was read in part and is cut",
      rest({ max: 2, of: expression("total") }),
      { errors: errors(5), total: 3120 },
      [{ what: "items", path: "errors", kept: "2 of 3120", get: "`list_errors`" }],
    ],
    ["of which no total is known", rest({ of: expression("total") }), { errors: errors(5) }, undefined],
    ["whose total counts fewer", rest({ of: expression("total") }), { errors: errors(5), total: 4 }, undefined],
    ["that is not there", rest({ max: 1, of: expression("total") }), { errors: null, total: 9 }, undefined],
    [
      "whose tool this caller may not see",
      { path: "errors", args: [], max: 1 },
      { errors: errors(2) },
      [{ what: "items", path: "errors", kept: "1 of 2" }],
    ],
  ];
  test.each(cases)("%s", (_, one, body, omitted) => {
    expect(told(summary(one), body)).toStrictEqual(omitted);
  });

  test("names the call with its arguments, and leaves out those without a value", () => {
    const one = rest({
      max: 1,
      args: [
        ["report", value("input.report")],
        ["level", { kind: "literal", value: "error" }],
        ["since", value("input.since")],
      ],
    });
    expect(told(summary(one), { errors: errors(2) }, { report: "r-1" })).toMatchObject([
      { get: '`list_errors` with {"report":"r-1","level":"error"}' },
    ]);
  });

  test("that the budget cuts further is counted once, from the whole", () => {
    const { structured, text } = replyTo(summary(rest({ max: 200, of: expression("total") })), {
      errors: errors(300),
      total: 3120,
    });
    const shown = (structured["errors"] as Json[]).length;
    expect(shown).toBeLessThan(200);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2_000);
    expect(structured["omitted"]).toStrictEqual([
      { what: "items", path: "errors", kept: `${shown} of 3120`, get: "`list_errors`" },
    ]);
  });
});

test("a text beneath the path that the budget cuts leads to the same call", () => {
  const shape = { ...summary(rest()), budget: 512 };
  expect(told(shape, { title: "a", errors: [{ text: "x".repeat(2_000) }] })).toMatchObject([
    { what: "text", path: "errors[0].text", get: "`list_errors`" },
  ]);
});

test("what is cut elsewhere leads nowhere", () => {
  const shape = { ...summary(rest()), budget: 512 };
  const [first] = told(shape, { title: "x".repeat(2_000), errors: [] }) as JsonObject[];
  expect(first).toMatchObject({ what: "text", path: "title" });
  expect(first).not.toHaveProperty("get");
});

test("a clipped column of a list leads to its tool", () => {
  const shape = list({
    fields: [column("text", { clip: 5 }), column("other", { clip: 5 })],
    rest: [{ path: "text", tool: "get_one", args: [] }],
  });
  expect(told(shape, { rows: [{ text: "longer than five", other: "longer than five" }] })).toStrictEqual([
    { what: "text", path: "text", kept: "5 characters", get: "`get_one`" },
    { what: "text", path: "other", kept: "5 characters" },
  ]);
});

test("whatever is cut, the reply keeps its budget and says how much of how much it shows", () => {
  const bodies = fc.record({
    title: fc.string({ maxLength: 400 }),
    errors: fc.array(fc.record({ at: fc.nat(), text: fc.string({ maxLength: 300 }) }), { maxLength: 60 }),
    total: fc.option(fc.nat(5_000)),
  });
  fc.assert(
    fc.property(bodies, fc.integer({ min: 512, max: 6_000 }), fc.integer({ min: 1, max: 40 }), (body, budget, max) => {
      const { structured, text } = replyTo({ ...summary(rest({ max, of: expression("total") })), budget }, body);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(budget);
      const shown = (structured["errors"] as Json[] | null)?.length ?? 0;
      const all = Math.max(body.errors.length, body.total ?? 0);
      const omitted = (structured["omitted"] ?? []) as JsonObject[];
      const own = omitted.filter(({ what, path }) => what === "items" && path === "errors");
      expect(own.map(({ kept }) => kept)).toStrictEqual(shown < all ? [`${shown} of ${all}`] : []);
    }),
    { numRuns: 200 },
  );
});
