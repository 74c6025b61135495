import { describe, expect, test } from "vitest";
import type { Json } from "../../src/model/json.ts";
import { column, dataOf, expression, list, replyTo, value } from "./shape-fixture.ts";

const rows = (count: number): Json => ({ rows: Array.from({ length: count }, (_, id) => ({ id, name: `n${id}` })) });

describe("columns", () => {
  test("stand in every row in their order, null where there is none", () => {
    const shape = list({ fields: [column("b"), column("a"), column("deep", { path: expression("x.y") })] });
    const { text } = replyTo(shape, { rows: [{ a: 1, b: 2, c: 3 }, { x: { y: [1] } }] });
    expect(text).toBe(
      '{"rowCount":2,"hasMore":false,"data":[{"b":2,"a":1,"deep":null},{"b":null,"a":null,"deep":[1]}]}',
    );
  });

  test("that are spread stand where the curation put them, as the row's own properties of exactly that name", () => {
    const shape = list({ fields: [column("first"), { kind: "columns", names: value("input.names") }, column("last")] });
    const row = JSON.parse('{"first":1,"last":2,"a.b":3,"FOCUS/x y":4,"__proto__":5}');
    const names = ["a.b", "FOCUS/x y", "toString", "__proto__", "a.b"];
    const { text } = replyTo(shape, { rows: [row] }, { names });
    expect(text).toContain('{"first":1,"a.b":3,"FOCUS/x y":4,"toString":null,"__proto__":5,"last":2}');
  });

  test("of a list that is not given are none", () => {
    const shape = list({ fields: [column("a"), { kind: "columns", names: value("input.names") }] });
    expect(dataOf(replyTo(shape, { rows: [{ a: 1 }] }))).toEqual([{ a: 1 }]);
  });

  test("that clash with a named column are refused", () => {
    const shape = list({ fields: [column("cost"), { kind: "columns", names: value("input.names") }] });
    expect(() => replyTo(shape, { rows: [] }, { names: ["cost"] })).toThrow(/`cost` is a column that every row has/);
  });

  test("without fields rows are shown as they come", () => {
    expect(dataOf(replyTo(list(), { rows: [1, "a", null, { b: 2 }] }))).toEqual([1, "a", null, { b: 2 }]);
  });

  test("are in the caller's form", () => {
    const fields = [
      column("at", { form: { as: "unix" } }),
      column("amount", { form: { as: "minor", unit: value("currency") } }),
    ];
    const body = { rows: [{ at: 1_793_836_800, amount: 1234, currency: "eur" }] };
    expect(dataOf(replyTo(list({ fields }), body))).toEqual([{ at: "2026-11-05T00:00:00Z", amount: 12.34 }]);
  });

  test("that cannot be converted are null, and said", () => {
    const fields = [column("id"), column("amount", { form: { as: "minor", unit: value("currency") } })];
    const { structured } = replyTo(list({ fields }), { rows: [{ id: 1, amount: 1234, currency: "???" }] });
    expect(structured).toMatchObject({
      omitted: [{ what: "value", path: "amount", kept: expect.stringContaining("???") }],
      data: [{ id: 1, amount: null }],
    });
  });

  test("whose expression fails on one row are null there, and said", () => {
    const fields = [column("hit", { path: expression("contains(tags, 'a')") })];
    const { structured } = replyTo(list({ fields }), { rows: [{ tags: ["a"] }, {}] });
    expect(structured).toMatchObject({
      omitted: [{ what: "value", path: "hit" }],
      data: [{ hit: true }, { hit: null }],
    });
  });
});

describe("texts and numbers", () => {
  test("a clipped column is told once, whatever the number of rows", () => {
    const fields = [column("id"), column("text", { clip: "first-sentence" }), column("more", { clip: 3 })];
    const body = { rows: [1, 2, 3].map((id) => ({ id, text: "One. Two.", more: "12345" })) };
    expect(replyTo(list({ fields }), body).structured).toMatchObject({
      omitted: [
        { what: "text", path: "text", kept: "first sentence" },
        { what: "text", path: "more", kept: "3 characters" },
      ],
      data: [{ id: 1, text: "One.", more: "123…" }, {}, {}],
    });
  });

  test("a column in which nothing was cut is not told", () => {
    const { structured } = replyTo(list({ fields: [column("text", { clip: 10 })] }), { rows: [{ text: "short" }] });
    expect(structured).not.toHaveProperty("omitted");
  });

  test("are ordered and searched before they are clipped and rounded", () => {
    const fields = [column("text", { clip: 1 }), column("cost", { round: 0 })];
    const shape = list({
      fields,
      search: value("input.search"),
      order: [{ by: [{ column: "cost", descending: false }] }],
    });
    const body = {
      rows: [
        { text: "a needle", cost: 1.4 },
        { text: "b needle", cost: 1.3 },
        { text: "c", cost: 1.1 },
      ],
    };
    expect(dataOf(replyTo(shape, body, { search: "needle" }))).toEqual([
      { text: "b…", cost: 1 },
      { text: "a…", cost: 1 },
    ]);
  });
});

describe("limit", () => {
  const shape = list({ limit: { default: 20, max: 200 }, search: value("input.search") });

  test("rows beyond it are told, with the way to them", () => {
    const { structured } = replyTo(shape, rows(57), { limit: 20 });
    expect(structured).toMatchObject({
      rowCount: 20,
      hasMore: true,
      note: expect.stringContaining("20 of 57 rows. Raise `limit` (max 200)"),
      omitted: [{ what: "rows", kept: "20 of 57", get: expect.stringContaining("max 200") }],
    });
  });

  test("at its maximum another way is named", () => {
    const { structured } = replyTo(shape, rows(300), { limit: 200 });
    expect(structured).toMatchObject({ rowCount: 200, omitted: [{ kept: "200 of 300", get: "Narrow with `search`" }] });
  });

  test("exactly as many rows are all rows", () => {
    const { structured } = replyTo(shape, rows(20), { limit: 20 });
    expect(structured).toMatchObject({ rowCount: 20, hasMore: false });
    expect(structured).not.toHaveProperty("omitted");
    expect(structured).not.toHaveProperty("note");
  });

  test("counts the rows that match, not all", () => {
    const { structured } = replyTo(shape, rows(57), { limit: 20, search: "n5" });
    expect(structured).toMatchObject({ rowCount: 8, hasMore: false });
  });
});

describe("an empty list", () => {
  const shape = list({ search: value("input.search") });
  test.each([
    ["says that nothing is there", shape, { rows: [] }, {}, "The list is empty: nothing matches, or there is no data."],
    ["says what the curation says", list({ emptyNote: "No bills yet." }), { rows: [] }, {}, "No bills yet."],
    [
      "says that nothing matched",
      shape,
      rows(3),
      { search: "zzz" },
      'None of the 3 rows matches "zzz". Try another word, or leave `search` out.',
    ],
    [
      "may be a null in the body",
      shape,
      { rows: null },
      {},
      "The list is empty: nothing matches, or there is no data.",
    ],
  ])("%s", (_, given, body, input, note) => {
    expect(replyTo(given, body, input).text).toBe(JSON.stringify({ rowCount: 0, hasMore: false, note, data: [] }));
  });
});

describe("a body without the rows that were promised", () => {
  test.each([
    ["nothing there", { items: [], total: 0 }, "nothing there: the answer is an object with items, total"],
    ["an object there", { rows: { a: 1 } }, "an object with a"],
    ["a text there", { rows: "none" }, "a text"],
    ["a list instead of an object", [1, 2], "a list of 2"],
    ["null", null, "null"],
  ])("%s", (_, body, says) => {
    const attempt = () => replyTo(list(), body);
    expect(attempt).toThrow(says);
    expect(attempt).toThrow(expect.objectContaining({ code: "upstream_bad_response" }));
  });
});

describe("fields of what is no object", () => {
  const fields = [column("id"), column("first", { path: expression("[0]") })];
  const plain = [column("id"), column("name")];
  const answered = (body: Json, given = plain) => replyTo({ kind: "object", fields: given, budget: 25_000 }, body);
  test.each([
    ["a list", [{ id: 1 }], "should be an object with `id`, `name`, and is a list of 1."],
    ["a text", "x", "and is a text."],
    ["a number", 5, "and is a number."],
    ["a boolean", true, "and is a boolean."],
  ])("%s of which none finds anything is refused", (_, body, says) => {
    const attempt = () => answered(body);
    expect(attempt).toThrow(says);
    expect(attempt).toThrow(expect.objectContaining({ code: "upstream_bad_response" }));
  });

  test.each([
    ["an element of a list", [7, 8], fields, { id: null, first: 7 }],
    ["nothing in null", null, plain, { id: null, name: null }],
    ["nothing in an empty list", [], plain, { id: null, name: null }],
    ["nothing in an object", {}, plain, { id: null, name: null }],
  ])("are shown where they find %s", (_, body, given, want) => {
    expect(answered(body as Json, given).structured).toEqual(want);
  });

  test.each([
    ["texts", ["a", "b"], {}, "should be objects with `id`, `name`, and the first is a text."],
    ["numbers, in an order", [1, 2], { order: [{ by: [{ column: "id", descending: true }] }] }, "is a number."],
    ["lists", [[1], [2]], { search: value("$.input.words") }, "a list of 1."],
  ])("rows that are %s are refused", (_, given, more, says) => {
    const attempt = () => replyTo(list({ fields: plain, ...more }), { rows: given });
    expect(attempt).toThrow(says);
    expect(attempt).toThrow(expect.objectContaining({ code: "upstream_bad_response" }));
  });

  test("rows of which some are objects are shown, and what the others are is said", () => {
    const { structured } = replyTo(list({ fields: plain }), { rows: [{ id: 1, name: "n" }, "a", null, 3] });
    const none = { id: null, name: null };
    expect(structured.data).toEqual([{ id: 1, name: "n" }, none, none, none]);
    expect(structured.omitted).toEqual([{ what: "value", kept: "nothing of a row that is a text" }]);
  });

  test("rows that are lists have their elements", () => {
    expect(dataOf(replyTo(list({ fields }), { rows: [[1], [2]] }))).toEqual([
      { id: null, first: 1 },
      { id: null, first: 2 },
    ]);
  });
});
