import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/model/json.ts";
import type { OrderRule } from "../../src/model/shape.ts";
import type { Roots } from "../../src/run/expressions/evaluate.ts";
import { clipText } from "../../src/run/shape/clip.ts";
import { findOrder, orderRows as orderEntries } from "../../src/run/shape/order.ts";
import { roundCell } from "../../src/run/shape/round.ts";
import { searchRows as searchEntries } from "../../src/run/shape/search.ts";
import { expression, rootsOf } from "./shape-fixture.ts";

const searchRows = (rows: readonly Json[], words: string): readonly Json[] =>
  searchEntries(
    rows.map((row) => ({ row })),
    words,
  ).map(({ row }) => row);

/** The rows are the upstream's own. */
function orderRows(rows: readonly Json[], rules: readonly OrderRule[], spread: readonly string[], roots: Roots) {
  const by = findOrder(rules, spread, roots);
  const entries = rows.map((row) => ({ source: row, row, omitted: [] }));
  return by ? orderEntries(entries, by).map(({ row }) => row) : rows;
}

describe("search", () => {
  const fields = [
    { name: "FOCUS/RegionId", about: "Where the resource runs." },
    { name: "x_SubRegional", about: null },
    { name: "region", about: "The region." },
    { name: "Zone", about: `The zone inside a region. ${"Long. ".repeat(40)}` },
    { name: "Regionalität", about: "Größe" },
    { name: "FOCUS/ServiceName", about: "The service." },
  ];
  const cases: readonly [title: string, words: string, want: readonly string[]][] = [
    [
      "exact names first, then those that begin so, then other names, then descriptions",
      "region",
      ["region", "FOCUS/RegionId", "Regionalität", "x_SubRegional", "Zone"],
    ],
    ["words in any order", "name service", ["FOCUS/ServiceName"]],
    ["every word must be there", "region service", []],
    ["letter case and diacritics do not count", "REGIONALITAT", ["Regionalität"]],
    ["words may be in different columns", "regionalitat große", ["Regionalität"]],
    ["no words keep everything", "  ", fields.map(({ name }) => name)],
    ["characters of patterns are only characters", ".*", []],
  ];
  test.each(cases)("%s", (_, words, want) => {
    expect(searchRows(fields, words).map((row) => (row as { name: string }).name)).toEqual(want);
  });

  test("numbers and what is nested are found; scalars as rows too", () => {
    expect(searchRows([{ id: 42 }, { tags: ["blue"] }, { id: 1 }], "42")).toEqual([{ id: 42 }]);
    expect(searchRows([{ id: 42 }, { tags: ["blue"] }], "blue")).toEqual([{ tags: ["blue"] }]);
    expect(searchRows(["alpha", "beta", null], "beta")).toEqual(["beta"]);
  });

  test("what is found is among the rows, once, and in their order within a rank", () => {
    fc.assert(
      fc.property(fc.array(fc.record({ a: fc.constantFrom("x", "xy", "y x", "z"), n: fc.nat() })), (rows) => {
        const found = searchRows(rows, "x");
        expect(new Set(found).size).toBe(found.length);
        for (const kind of ["x", "xy", "y x"])
          expect(found.filter((row) => (row as { a: string }).a === kind)).toEqual(
            rows.filter((row) => row.a === kind),
          );
      }),
    );
  });
});

describe("order", () => {
  const by = (...columns: string[]) => ({
    by: columns.map((name) => ({ column: name.replace(/^-/, ""), descending: name.startsWith("-") })),
  });
  const sort = (cells: readonly Json[], column = "c") =>
    orderRows(
      cells.map((c) => ({ c })),
      [by(column)],
      [],
      rootsOf(),
    ).map((row) => (row as { c: Json }).c);

  test.each([
    ["numbers by value", [10, 9, -1, 2.5], "c", [-1, 2.5, 9, 10]],
    ["texts that are numbers by value", ["10", "9", 9.5], "c", ["9", 9.5, "10"]],
    ["nulls last", [null, 2, 1], "c", [1, 2, null]],
    ["nulls last the other way round too", [null, 1, 2], "-c", [2, 1, null]],
    ["texts by their characters", ["b", "a", "B"], "c", ["B", "a", "b"]],
    ["booleans, numbers, texts, the rest", [{ a: 1 }, "a", 1, true], "c", [true, 1, "a", { a: 1 }]],
  ] as const)("%s", (_, given, column, want) => {
    expect(sort(given as readonly Json[], column)).toEqual(want);
  });

  test("the first rule whose condition holds counts", () => {
    const rows = [
      { a: 1, b: 2 },
      { a: 2, b: 1 },
    ];
    const rules = [{ when: expression("$.input.bucket"), ...by("b") }, by("-a")];
    expect(orderRows(rows, rules, [], rootsOf({ bucket: "day" }))[0]).toEqual({ a: 2, b: 1 });
    expect(orderRows(rows, rules, [], rootsOf())[0]).toEqual({ a: 2, b: 1 });
    expect(orderRows(rows, [{ when: expression("$.input.bucket"), ...by("b") }], [], rootsOf())).toEqual(rows);
  });

  test("... stands for the columns that were added", () => {
    const rows = [
      { x: 2, y: 1 },
      { x: 1, y: 2 },
      { x: 1, y: 1 },
    ];
    expect(orderRows(rows, [by("...")], ["x", "y"], rootsOf())).toEqual([rows[2], rows[1], rows[0]]);
  });

  test.each([
    ["by the ID of the upstream's row", ["id", 10, 9, 2], [2, 9, 10]],
    ["by the row's JSON where no ID is in all rows", ["name", "b", "a", "c"], ["a", "b", "c"]],
  ] as const)("rows that are equal stand in an order of their own: %s", (_, [name, ...given], want) => {
    const rows = given.map((one) => ({ [name]: one, c: 1 }));
    expect(orderRows(rows, [by("-c")], [], rootsOf()).map((row) => (row as JsonObject)[name])).toEqual(want);
  });

  test("none is lost, and the order is the same in whatever order the rows came", () => {
    const cell = fc.oneof(
      fc.constant(null),
      fc.integer({ min: 0, max: 3 }),
      fc.constantFrom("1", "a", "b"),
      fc.boolean(),
    );
    const given = fc
      .array(fc.record({ c: cell, d: cell }))
      .chain((rows) =>
        fc.tuple(
          fc.constant(rows.map((row, id) => ({ ...row, id }))),
          fc.shuffledSubarray([...rows.keys()], { minLength: rows.length }),
        ),
      );
    fc.assert(
      fc.property(given, fc.boolean(), fc.boolean(), ([rows, shuffle], down, hasId) => {
        const made = hasId ? rows : rows.map(({ c, d }) => ({ c, d }));
        const sorted = orderRows(made, [by(down ? "-c" : "c")], [], rootsOf());
        const again = orderRows(
          shuffle.map((at) => made[at]!),
          [by(down ? "-c" : "c")],
          [],
          rootsOf(),
        );
        expect(new Set(sorted)).toEqual(new Set(made));
        expect(again).toEqual(sorted);
      }),
    );
  });
});

describe("first sentences", () => {
  test.each([
    ["ends at a full stop", "One thing. Another.", "One thing."],
    ["is the whole where there is no other", "Only this one", "Only this one"],
    ["keeps a text of one sentence as it is", "Only this one.", "Only this one."],
    ["an abbreviation ends nothing", "Costs, e.g. AWS or approx. 5 EUR. More.", "Costs, e.g. AWS or approx. 5 EUR."],
    ["nor do initials", "By J. R. Smith of the U.S. office. More.", "By J. R. Smith of the U.S. office."],
    [
      "nor does a decimal or a URL",
      "At least 1.5 of https://a.example.com/x.y here. More.",
      "At least 1.5 of https://a.example.com/x.y here.",
    ],
    ["what goes on in lower case is the same", "See section 3. it goes on. More.", "See section 3. it goes on."],
    ["question marks end", "Why? Because.", "Why?"],
    ["a closing bracket belongs to it", 'He said "no." Then left.', 'He said "no."'],
    ["a line break is a space", "One\nthing. Two.", "One thing."],
    ["an empty line ends", "Heading\n\nText follows.", "Heading"],
    ["a list ends it", "These:\n- a\n- b", "These:"],
    ["no. is a number only before one", "See No. 5 and fig. 2 there. More.", "See No. 5 and fig. 2 there."],
    ["in Chinese", "第一句。第二句。", "第一句。"],
  ])("%s", (_, text, want) => {
    expect(clipText(text, "first-sentence")).toBe(want);
  });

  test("a sentence without an end is cut all the same", () => {
    expect([...clipText("word ".repeat(200), "first-sentence")].length).toBeLessThanOrEqual(301);
  });

  test("nothing is added, and looking takes no long time", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("a", ".", " ", "\n", "A", "!", "e.g. ", "-") }), (text) => {
        expect(clipText(text, "first-sentence").length).toBeLessThanOrEqual(text.length + 1);
      }),
    );
    expect(clipText(". ".repeat(200_000), "first-sentence").length).toBeLessThan(400);
  });
});

describe("a number of characters", () => {
  test.each([
    ["abc", 3, "abc"],
    ["abcd", 3, "abc…"],
    ["😀😀😀", 2, "😀😀…"],
    ["", 5, ""],
  ])("%s to %i", (text, most, want) => {
    expect(clipText(text, most)).toBe(want);
  });

  test("never cuts a character in two", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat({ max: 20 }), (text, most) => {
        const clipped = clipText(text, most);
        const [all, kept] = [[...text], [...clipped.replace(/…$/, "")]];
        // What belongs together may leave a few fewer.
        expect(kept).toStrictEqual(all.slice(0, kept.length));
        expect(kept.length).toBeLessThanOrEqual(Math.max(most, all.length <= most ? all.length : 0));
        expect(clipped === text).toBe(all.length <= most);
      }),
    );
  });
});

describe("rounding", () => {
  test.each([
    [1.005, 2, 1.01],
    [2.675, 2, 2.68],
    [-2.5, 0, -3],
    [0.1 + 0.2, 2, 0.3],
    [1234.5, 0, 1235],
    [5, 2, 5],
    [-0.001, 2, 0],
    ["12.345", 2, "12.35"],
    ["n/a", 2, "n/a"],
    [null, 2, null],
  ] as const)("%s to %i places", (cell, places, want) => {
    expect(roundCell(cell, places)).toBe(want);
  });
});
