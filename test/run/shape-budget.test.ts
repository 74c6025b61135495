import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ReplyBody } from "../../src/model/exchange.ts";
import type { Json, JsonObject } from "../../src/model/json.ts";
import { cutInside } from "../../src/run/shape/cut-inside.ts";
import { SMALLEST_BUDGET } from "../../src/run/shape/cut-to-fit.ts";
import { jsonBytes } from "../../src/run/shape/json-bytes.ts";
import { type OtherShape, shapeReply } from "../../src/run/shape/shape-reply.ts";
import { column, dataOf, expression, list, type Reply, replyTo, rootsOf, value } from "./shape-fixture.ts";

const bytes = (text: string) => Buffer.byteLength(text);
const word = fc.oneof(fc.string({ maxLength: 300 }), fc.string({ unit: "binary", maxLength: 300 }));
const cell: fc.Arbitrary<Json> = fc.oneof(
  word,
  fc.integer(),
  fc.constant(null),
  fc.boolean(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0),
);
const tree = fc
  .jsonValue({ maxDepth: 4, stringUnit: "binary" })
  .map((json) => JSON.parse(JSON.stringify(json)) as Json);
const budgets = fc.integer({ min: SMALLEST_BUDGET, max: 4_000 });
const object: OtherShape = { kind: "object", budget: 0 };

function checkReply({ text, structured }: Reply, budget: number): void {
  expect(bytes(text)).toBeLessThanOrEqual(budget);
  expect(JSON.parse(text)).toEqual(structured);
  expect(Object.keys(JSON.parse(text))).toEqual(Object.keys(structured));
}

describe("a list", () => {
  test("fits its budget, shows the first rows, and tells whatever it leaves out", () => {
    const row = fc.record({ a: cell, b: cell, c: cell });
    fc.assert(
      fc.property(
        fc.array(row, { maxLength: 60 }),
        budgets,
        fc.option(fc.integer({ min: 1, max: 60 })),
        (rows, budget, limit) => {
          const shape = list({ budget, fields: [column("a", { clip: 40 }), column("b"), column("c")] });
          const reply = replyTo(shape, { rows }, limit === null ? {} : { limit });
          checkReply(reply, budget);
          const {
            rowCount,
            hasMore,
            omitted = [],
          } = reply.structured as { rowCount: number; hasMore: boolean; omitted?: JsonObject[] };
          const data = dataOf(reply);
          expect(rowCount).toBe(data.length);
          expect(hasMore).toBe(rowCount < rows.length);
          expect(omitted.some(({ what }) => what === "rows")).toBe(hasMore);
          const isCutInside = omitted.some(({ path }) => String(path).startsWith("data[0]"));
          for (const [index, shown] of data.entries()) {
            const { a, b, c } = rows[index]!;
            if (isCutInside) continue;
            expect(shown).toMatchObject({ b, c });
            if ((shown as JsonObject).a !== a)
              expect(omitted).toContainEqual({ what: "text", path: "a", kept: "40 characters" });
          }
        },
      ),
    );
  });

  test("drops no row that would have fitted", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 80 }), { minLength: 1, maxLength: 60 }), budgets, (rows, budget) => {
        const reply = replyTo(list({ budget }), { rows });
        const shown = dataOf(reply).length;
        if (shown === rows.length || shown === 0) return;
        const next = jsonBytes(rows[shown]!) + 1;
        // The counts in note and omitted may have one digit more.
        expect(bytes(reply.text) + next + 4).toBeGreaterThan(budget);
      }),
    );
  });

  test("one row over the budget is cut inside, and said", () => {
    const rows = [{ id: 7, log: "x".repeat(5_000), tags: Array.from({ length: 500 }, (_, n) => `tag${n}`) }, { id: 8 }];
    const reply = replyTo(list({ budget: 1_500 }), { rows });
    checkReply(reply, 1_500);
    expect(reply.structured).toMatchObject({
      rowCount: 1,
      hasMore: true,
      omitted: [
        { what: "rows", kept: "1 of 2" },
        { what: "text", path: "data[0].log", kept: expect.stringMatching(/^\d+ of 5000 characters$/) },
        { what: "items", path: "data[0].tags", kept: expect.stringMatching(/^\d+ of 500$/) },
      ],
      data: [{ id: 7 }],
    });
    expect(bytes(reply.text)).toBeGreaterThan(1_200);
  });

  test("a row that is over by a few bytes only, for all that stands beside it, is never left out whole", () => {
    for (let length = 380; length < 520; length += 1) {
      const rows = [{ a: "x".repeat(length), b: [1, 2], c: 7 }];
      const shape = list({ budget: 520, fields: [column("a"), column("b"), column("c")] });
      const reply = replyTo(shape, { rows });
      checkReply(reply, 520);
      expect(Object.keys(dataOf(reply)[0] as JsonObject)).toEqual(["a", "b", "c"]);
    }
  });

  test("a whole catalogue takes no longer than the size of it asks for", () => {
    const rows = Array.from({ length: 100_000 }, (_, id) => ({ id, name: `name ${id}`, text: "y".repeat(50) }));
    const started = performance.now();
    checkReply(
      replyTo(list({ budget: 25_000, order: [{ by: [{ column: "id", descending: true }] }] }), { rows }),
      25_000,
    );
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});

describe("an object or value", () => {
  test("fits its budget whatever it is, and tells whatever was cut", () => {
    fc.assert(
      fc.property(tree, fc.integer({ min: 1, max: 40 }), budgets, (json, times, budget) => {
        const body = { first: json, all: Array.from({ length: times }, () => json) };
        const reply = replyTo({ ...object, budget }, body);
        checkReply(reply, budget);
        const isWhole = jsonBytes(body) <= budget;
        expect("omitted" in reply.structured).toBe(!isWhole);
        if (isWhole) expect(reply.structured).toEqual(body);
      }),
    );
  });

  test.each([
    [
      "a long list",
      Array.from({ length: 5_000 }, (_, i) => ({ id: i, s: "x".repeat(100) })),
      { what: "items", path: "value", kept: /^\d+ of 5000$/ },
    ],
    ["a long text", "z".repeat(90_000), { what: "text", path: "value", kept: /^\d+ of 90000 characters$/ }],
    [
      "many properties",
      Object.fromEntries(Array.from({ length: 9_000 }, (_, i) => [`k${i}`, i])),
      { what: "properties", kept: /^\d+ of 9000$/ },
    ],
  ])("%s is cut, and most of the budget is used", (_, body, told) => {
    const reply = replyTo({ ...object, budget: 25_000 }, body);
    checkReply(reply, 25_000);
    expect(bytes(reply.text)).toBeGreaterThan(24_000);
    expect(reply.structured.omitted).toEqual([{ ...told, kept: expect.stringMatching(told.kept) }]);
  });

  test("the longest parts are cut first, and the short ones stay whole", () => {
    const body = { short: [1, 2, 3], text: "short", files: Array.from({ length: 3_000 }, (_, i) => `file${i}`) };
    const { structured } = replyTo({ ...object, budget: 2_000 }, body);
    expect(structured).toMatchObject({ short: [1, 2, 3], text: "short", omitted: [{ what: "items", path: "files" }] });
  });

  const leaf = Array.from({ length: 9_000 }, (_, i) => i);
  const branches = (depth: number): Json =>
    depth === 0 ? { text: "leaf ".repeat(9) } : { id: depth, children: [branches(depth - 1), branches(depth - 1)] };
  const inRow = { data: [{ id: 1, matches: leaf }] };
  const nested: [title: string, body: Json][] = [
    ["in the only row of a list", inRow],
    ["in a list in a list", [[leaf]]],
    ["below many levels", Array.from({ length: 100 }).reduce<Json>((inner) => ({ id: 7, in: [inner] }), leaf)],
    ["in an object of very many names", { rows: [Object.fromEntries(leaf.map((i) => [`k${i}`, i]))], ...inRow }],
    ["in all branches of a tree", branches(12)],
  ];
  test.each(nested)("what is too long %s is cut there, and the budget is used", (_, body) => {
    const started = performance.now();
    const reply = replyTo({ ...object, budget: 10_000 }, body);
    checkReply(reply, 10_000);
    expect(bytes(reply.text)).toBeGreaterThan(5_000);
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  test("where not all properties can stay, those that do say something", () => {
    const body = Object.fromEntries(leaf.slice(0, 500).map((i) => [`k${i}`, "z".repeat(500)]));
    const { structured } = replyTo({ ...object, budget: 2_000 }, body);
    expect(structured.k0).toMatch(/^z{50,}…$/);
  });

  test("a property that no structured content can hold is said to be left out", () => {
    const { structured, text } = replyTo(object, JSON.parse('{"__proto__":{"x":1},"id":1}'));
    expect(JSON.parse(text)).toEqual({
      omitted: [{ what: "properties", path: "__proto__", kept: expect.stringMatching(/^nothing/) }],
      id: 1,
    });
    expect(Object.keys(structured)).toEqual(["omitted", "id"]);
  });

  test("cuts in many places are told in few words", () => {
    const body = { rows: Array.from({ length: 60 }, () => ({ log: "l".repeat(900) })) };
    const { structured } = replyTo({ ...object, budget: 20_000 }, body);
    const omitted = structured.omitted as readonly JsonObject[];
    expect(omitted.length).toBeLessThan(5);
    expect(JSON.stringify(omitted)).toMatch(/rows/);
  });

  test("an upstream's own `omitted` gives way only where something was cut", () => {
    const small = { omitted: 3 };
    expect(replyTo({ ...object, budget: 512 }, small).structured).toEqual(small);
    const large = { omitted: 3, text: "x".repeat(1_000) };
    expect(replyTo({ ...object, budget: 512 }, large).structured.omitted).toMatchObject([
      { what: "text", path: "text" },
    ]);
  });

  test("what is no object stands under `value`", () => {
    expect(replyTo({ ...object, budget: 512 }, [1, 2]).text).toBe('{"value":[1,2]}');
    expect(replyTo({ ...object, budget: 512 }, null).text).toBe('{"value":null}');
  });

  test("fields select from the body", () => {
    const fields = [column("id"), column("name", { path: expression("who.name"), clip: 2 }), column("missing")];
    expect(
      replyTo({ kind: "object", fields, budget: 512 }, { id: 1, who: { name: "abc" }, secret: 1 }).structured,
    ).toEqual({
      omitted: [{ what: "text", path: "name", kept: "2 characters" }],
      id: 1,
      name: "ab…",
      missing: null,
    });
  });

  test("a value is what its expressions give, at any depth", () => {
    const template = {
      kind: "object",
      entries: [
        ["title", { kind: "expression", expression: expression("pull.title") }],
        [
          "who",
          { kind: "object", entries: [["asked", { kind: "expression", expression: expression("$.input.name") }]] },
        ],
        ["none", { kind: "expression", expression: expression("nothing") }],
      ],
    } as const;
    const reply = replyTo({ kind: "value", value: template, budget: 512 }, { pull: { title: "T" } }, { name: "N" });
    expect(reply.text).toBe('{"title":"T","who":{"asked":"N"},"none":null}');
  });
});

describe("cutting inside", () => {
  test("never gives more bytes than asked for", () => {
    fc.assert(
      fc.property(tree, fc.integer({ min: 10, max: 2_000 }), (json, most) => {
        const cut = cutInside(json, most, "");
        expect(jsonBytes(cut.value)).toBeLessThanOrEqual(most);
        if (JSON.stringify(cut.value) !== JSON.stringify(json)) expect(cut.omitted.length).toBeGreaterThan(0);
        else expect(cut.omitted).toEqual([]);
      }),
    );
  });
});

describe("bodies that are not JSON", () => {
  const reply = (body: ReplyBody, more: Partial<OtherShape> = {}) =>
    shapeReply({ name: "get_log" }, { ...object, budget: 1_000, ...more } as OtherShape, undefined, body, rootsOf());
  const text = (given: string, mediaType = "text/plain"): ReplyBody => ({ kind: "text", text: given, mediaType });
  const lines = Array.from({ length: 50 }, (_, n) => `line ${n}`).join("\n");

  test.each([
    ["nothing", { kind: "empty" } as const, { done: true }],
    ["a text", text("203.0.113.7"), { text: "203.0.113.7" }],
    [
      "an HTML page is called one",
      text("<html>", "text/html; charset=utf-8"),
      { note: "The upstream answered an HTML page.", text: "<html>" },
    ],
  ])("%s", (_, body, want) => {
    expect(reply(body).structured).toEqual(want);
  });

  test("nothing is done where fields were promised, too", () => {
    expect(reply({ kind: "empty" }, { fields: [column("a")] }).structured).toEqual({ done: true });
  });

  test.each([
    ["the first lines", { head: 2 }, "line 0\nline 1", "first 2 of 50"],
    ["the last lines", { tail: 2 }, "line 48\nline 49", "last 2 of 50"],
  ] as const)("%s of a text", (_, cut, want, kept) => {
    expect(reply(text(lines), { text: cut }).structured).toEqual({
      omitted: [{ what: "lines", path: "text", kept }],
      text: want,
    });
    expect(reply(text(`${lines}\n`), { text: cut }).structured.omitted).toMatchObject([{ kept }]);
  });

  test("a text over the budget keeps the side that was asked for", () => {
    const long = `begin ${"é".repeat(2_000)} end`;
    const head = reply(text(long)).structured.text as string;
    const tail = reply(text(long), { text: { tail: 5 } }).structured.text as string;
    expect([head.startsWith("begin é"), head.endsWith("…"), tail.startsWith("…é"), tail.endsWith(" end")]).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });

  test("any text fits any budget", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 3_000 }), fc.boolean(), budgets, (given, isTail, budget) => {
        const { structured } = reply(text(given), { budget, ...(isTail && { text: { tail: 3 } }) });
        expect(jsonBytes(structured)).toBeLessThanOrEqual(budget);
        if (structured.text !== given) expect(structured.omitted).toBeDefined();
      }),
    );
  });

  const png = (size: number): ReplyBody => ({ kind: "binary", data: new Uint8Array(size), mediaType: "image/png" });
  test("an image is an image, also over the budget of text", () => {
    expect(reply(png(3))).toEqual({
      structured: { mediaType: "image/png", bytes: 3 },
      blocks: [{ type: "image", data: "AAAA", mimeType: "image/png" }],
    });
    expect(reply(png(50_000)).blocks).toHaveLength(1);
    expect(reply(png(2_000_000))).toEqual({
      structured: {
        omitted: [{ what: "binary", kept: "nothing of 2000000 bytes" }],
        mediaType: "image/png",
        bytes: 2_000_000,
      },
    });
  });

  test("other data is an embedded resource up to the budget, else it is said", () => {
    const pdf = (size: number): ReplyBody => ({
      kind: "binary",
      data: new Uint8Array(size),
      mediaType: "application/pdf",
    });
    expect(reply(pdf(3)).blocks).toEqual([
      { type: "resource", uri: expect.stringMatching(/^\w+:/), mimeType: "application/pdf", blob: "AAAA" },
    ]);
    const large = reply(pdf(10_000));
    expect(large.blocks).toBeUndefined();
    expect(large.structured).toMatchObject({ bytes: 10_000, omitted: [{ what: "binary" }] });
  });

  test.each([
    ["fields", { kind: "object", fields: [column("a")], budget: 512 } as OtherShape],
    [
      "a value",
      { kind: "value", value: { kind: "expression", expression: expression("a") }, budget: 512 } as OtherShape,
    ],
  ])("where %s were promised a page is no answer, and its beginning is told", (_, shape) => {
    const attempt = () => reply(text("<!doctype html><title>Log in</title><body>Please", "text/html"), shape);
    expect(attempt).toThrow(/text\/html where JSON was promised: Log in: Please/);
    expect(attempt).toThrow(expect.objectContaining({ code: "upstream_bad_response" }));
    expect(() => reply({ kind: "binary", data: new Uint8Array(9), mediaType: "image/png" }, shape)).toThrow(
      /image\/png .* 9 bytes/,
    );
  });
});

test("search is a value as any other", () => {
  const shape = list({ search: value("input.search"), limit: { default: 5, max: 10 } });
  expect(dataOf(replyTo(shape, { rows: ["a", "b"] }, { search: "b" }))).toEqual(["b"]);
});
