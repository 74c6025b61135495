import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/model/json.ts";
import type { Shape } from "../../src/model/shape.ts";
import type { ListRead } from "../../src/run/list/list-read.ts";
import type { ListContext } from "../../src/run/shape/shape-list.ts";
import { column, dataOf, list, openToken, part, type Reply, replyWith, TOKENS, value, whole } from "./shape-fixture.ts";

const LIMITED = list({ limit: { default: 2, max: 50 } });
const BY_COST = { order: [{ by: [{ column: "cost", descending: true }] }] };
const ids = (reply: Reply) => dataOf(reply).map((row) => (row as { id: number }).id);
const rows = (...given: number[]) => given.map((id) => ({ id }));

describe("a list that goes on", () => {
  test("gives a token behind the rows that are shown, and says so", () => {
    const { structured } = replyWith(LIMITED, whole(rows(1, 2, 3)), { limit: 2 }, TOKENS);
    expect(Object.keys(structured)).toEqual(["rowCount", "hasMore", "nextPageToken", "note", "data"]);
    expect(structured).toMatchObject({
      rowCount: 2,
      hasMore: true,
      note: "2 of 3 rows. Raise `limit` (max 50) or pass nextPageToken as `pageToken` for more.",
    });
    expect(openToken(structured.nextPageToken)).toEqual({
      position: { kind: "row", at: 2 },
      anchor: expect.any(String),
    });
  });

  test("in the upstream's pages goes on where these do", () => {
    const { structured } = replyWith(LIMITED, part(rows(1, 2, 3)), { limit: 2 }, TOKENS);
    expect(openToken(structured.nextPageToken).position).toEqual({
      kind: "page",
      page: { kind: "number", number: 2 },
      skip: 0,
    });
  });

  test("that ends says so, without a token", () => {
    const { text } = replyWith(LIMITED, whole(rows(1, 2)), { limit: 2 }, TOKENS);
    expect(text).toBe('{"rowCount":2,"hasMore":false,"data":[{"id":1},{"id":2}]}');
  });

  test("without rows yet goes on all the same", () => {
    const { structured } = replyWith(LIMITED, part([], { more: true }), { limit: 2 }, TOKENS);
    expect(structured).toMatchObject({
      rowCount: 0,
      hasMore: true,
      nextPageToken: expect.any(String),
      note: expect.stringMatching(/^No rows yet; there are more\./),
    });
  });

  type Case = readonly [title: string, read: ListRead, input: JsonObject, context: Partial<ListContext>, note: string];
  const later: Partial<ListContext> = { ...TOKENS, token: { position: { kind: "row", at: 2 } } };
  const FOLLOW = "Raise `limit` (max 50) or pass nextPageToken as `pageToken` for more.";
  const cases: readonly Case[] = [
    ["later rows by their numbers", whole(rows(1, 2, 3, 4, 5)), { limit: 2 }, later, `Rows 3 to 4 of 5. ${FOLLOW}`],
    ["one later row by its number", whole(rows(1, 2, 3, 4)), { limit: 1 }, later, `Row 3 of 4. ${FOLLOW}`],
    [
      "the first of nobody knows how many",
      part(rows(1, 2), { more: true }),
      { limit: 2 },
      TOKENS,
      `The first 2 rows; there are more. ${FOLLOW}`,
    ],
    [
      "later ones of nobody knows how many",
      part(rows(1, 2), { at: 2, more: true }),
      { limit: 2 },
      later,
      `2 rows; there are more. ${FOLLOW}`,
    ],
    [
      "the highest limit",
      whole(Array.from({ length: 60 }, (_, id) => ({ id }))),
      { limit: 50 },
      TOKENS,
      "50 of 60 rows. Pass nextPageToken as `pageToken` for more.",
    ],
    ["a token behind the end", whole(rows(1, 2)), { limit: 2 }, later, "No rows are left here."],
    ["no token at all", whole(rows(1, 2, 3)), { limit: 2 }, {}, "2 of 3 rows. Raise `limit` (max 50) for the others."],
    [
      "a tool that writes, which nobody should call again for the rest",
      whole(rows(1, 2, 3)),
      { limit: 2 },
      { repeatable: false },
      "2 of 3 rows. Use a tool that only reads, not this one again, for the others.",
    ],
  ];
  test.each(cases)("tells of %s", (_, read, input, context, note) => {
    expect(replyWith(LIMITED, read, input, context).structured.note).toBe(note);
  });

  test("full at its budget says that, and leaves nothing out that a token reaches", () => {
    const long = rows(1, 2, 3).map((row) => ({ ...row, text: "x".repeat(300) }));
    const { structured } = replyWith({ ...LIMITED, budget: 700 }, whole(long), { limit: 3 }, TOKENS);
    expect(structured).toMatchObject({
      rowCount: 1,
      note: "1 of 3 rows: the reply is full at 700 bytes. Pass nextPageToken as `pageToken` for more.",
    });
    expect(structured).not.toHaveProperty("omitted");
  });
});

describe("rows that the upstream has and no token reaches", () => {
  test("are left out, and said, beside those that a token reaches", () => {
    const { structured } = replyWith(LIMITED, whole(rows(1, 2, 3), { unreachable: true }), { limit: 2 }, TOKENS);
    expect(structured).toMatchObject({
      hasMore: true,
      nextPageToken: expect.any(String),
      note: "2 of 3 rows that the upstream sent (it has more). Raise `limit` (max 50) or pass nextPageToken as `pageToken` for more. The upstream has more rows than it sent. Narrow the arguments to see others.",
      omitted: [{ what: "rows", kept: "3, and the upstream has more", get: "Narrow the arguments" }],
    });
  });

  test("are all that is left on the last page", () => {
    const { structured } = replyWith(LIMITED, whole(rows(1, 2), { unreachable: true }), { limit: 2 }, TOKENS);
    expect(structured).toMatchObject({ hasMore: true, omitted: [{ kept: "2, and the upstream has more" }] });
    expect(structured).not.toHaveProperty("nextPageToken");
  });

  test("by a search are narrowed with it", () => {
    const shape = list({ search: value("input.find") });
    const { structured } = replyWith(shape, whole(rows(1), { unreachable: true }), { find: "1" }, TOKENS);
    expect(structured.note).toBe(
      "The upstream has more rows than it sent. Only the 1 rows that it sent were looked at. Narrow with `find` to see others.",
    );
  });
});

describe("rows that moved between two pages", () => {
  const shape = list(BY_COST);
  const costs = (...given: [id: number, cost: number][]) => given.map(([id, cost]) => ({ id, cost }));
  const before = costs([1, 9], [2, 8], [3, 7], [4, 6]);
  const first = replyWith(shape, whole(before), { limit: 2 }, TOKENS);
  const go = (read: readonly Json[], given: Json = first.structured.nextPageToken!) =>
    replyWith(shape, whole(read), { limit: 2 }, { ...TOKENS, token: openToken(given) });

  test.each([
    ["none did", before, [3, 4], false],
    ["one came before them", [...before, ...costs([5, 100])], [3, 4], true],
    ["one before them is gone", before.slice(1), [3, 4], true],
    ["the one shown last is gone", costs([1, 9], [3, 7], [4, 6]), [3, 4], true],
    ["all are gone", [], [], true],
  ] as const)("%s", (_, read, want, moved) => {
    const reply = go(read);
    expect(ids(reply)).toEqual(want);
    expect(String(reply.structured.note ?? "").includes("SNAPSHOT_DRIFT")).toBe(moved);
  });

  test("while the pages were read are told of whole lists and parts", () => {
    const note = "Rows moved while the pages were read (SNAPSHOT_DRIFT): some may be missing or come twice.";
    for (const read of [whole(costs([3, 7]), { moved: true }), part(costs([3, 7]), { moved: true, drifted: true })])
      expect(replyWith(shape, read, {}, TOKENS).structured.note).toBe(note);
  });

  test("in the upstream's pages are told as it is told to us", () => {
    expect(replyWith(shape, part(costs([3, 7]), { at: 2, drifted: true }), {}, TOKENS).structured.note).toContain(
      "SNAPSHOT_DRIFT",
    );
  });

  test("a token of the other kind is refused", () => {
    const token = { position: { kind: "page", page: { kind: "first" }, skip: 1 } } as const;
    expect(() => replyWith(shape, whole(before), {}, { ...TOKENS, token })).toThrow(
      expect.objectContaining({ code: "invalid_cursor" }),
    );
  });
});

describe("the caller's filter", () => {
  const applied = { kind: "single", field: "status", op: "eq", value: "open" };
  test("is echoed between the note and what was left out", () => {
    const { structured } = replyWith(
      list({ fields: [column("id", { clip: 1 })] }),
      whole([{ id: "ab" }, { id: "c" }]),
      { limit: 1 },
      { ...TOKENS, applied },
    );
    expect(Object.keys(structured)).toEqual([
      "rowCount",
      "hasMore",
      "nextPageToken",
      "note",
      "appliedFilter",
      "omitted",
      "data",
    ]);
    expect(structured.appliedFilter).toEqual(applied);
  });

  test("is cut where it would leave no room for rows, and that is said", () => {
    const long = { ...applied, value: "y".repeat(5_000) };
    const reply = replyWith(list({ budget: 1_500 }), whole(rows(1)), {}, { ...TOKENS, applied: long });
    expect(Buffer.byteLength(reply.text)).toBeLessThanOrEqual(1_500);
    expect(reply.structured).toMatchObject({ rowCount: 1, omitted: [{ what: "text", path: "appliedFilter.value" }] });
  });
});

// The law: whatever cuts a page, the next one goes on behind it.
describe("walking all pages", () => {
  const cell: fc.Arbitrary<Json> = fc.oneof(
    fc.integer({ min: 0, max: 3 }),
    fc.constant(null),
    fc.string({ maxLength: 3 }),
    fc.string({ unit: "binary", maxLength: 500 }),
  );
  const scene = fc.record({
    cells: fc.array(fc.record({ cost: cell, text: cell }), { maxLength: 40 }),
    limit: fc.integer({ min: 1, max: 12 }),
    budget: fc.integer({ min: 512, max: 3_000 }),
    ordered: fc.boolean(),
    down: fc.boolean(),
    hasId: fc.boolean(),
    isPart: fc.boolean(),
  });
  const given = scene.map(({ cells, limit, budget, ordered, down, hasId, isPart }) => ({
    all: cells.map((one, id): JsonObject => (hasId ? { ...one, id } : one)),
    isPart: isPart && !ordered,
    limit,
    shape: list({
      budget,
      limit: { default: 5, max: 12 },
      ...(ordered && { order: [{ by: [{ column: "cost", descending: down }] }] }),
    }) as Extract<Shape, { kind: "list" }>,
  }));

  const page = (all: readonly JsonObject[], at: number, limit: number, isPart: boolean): ListRead => {
    if (!isPart) return whole(all);
    const read = all.slice(at, at + limit + 1);
    return part(read, { at, more: at + read.length < all.length, complete: at === 0 && read.length === all.length });
  };

  test("gives every row once, says the truth of each page, and ends", () => {
    fc.assert(
      fc.property(given, ({ all, isPart, limit, shape }) => {
        const seen: Json[] = [];
        let token: ListContext["token"];
        for (let pages = 0; pages <= all.length; pages += 1) {
          const reply = replyWith(
            shape,
            page(all, seen.length, limit, isPart),
            { limit },
            { ...TOKENS, ...(token && { token }) },
          );
          const { structured, text } = reply;
          expect(JSON.parse(text)).toEqual(structured);
          expect(Buffer.byteLength(text)).toBeLessThanOrEqual(Math.max(shape.budget, 632));
          expect(structured.rowCount).toBe(dataOf(reply).length);
          expect(structured.rowCount === 0).toBe(all.length === 0);
          expect("nextPageToken" in structured).toBe(structured.hasMore);
          expect(String(structured.note)).not.toContain("SNAPSHOT_DRIFT");
          seen.push(...dataOf(reply));
          if (!structured.hasMore) break;
          token = openToken(structured.nextPageToken);
        }
        expect(seen).toHaveLength(all.length);
        const isCut = (row: JsonObject) => JSON.stringify(row).length > shape.budget / 3;
        const key = (row: Json) => JSON.stringify(row);
        const shown = new Map<string, number>();
        for (const row of seen) shown.set(key(row), (shown.get(key(row)) ?? 0) + 1);
        for (const row of all.filter((one) => !isCut(one)))
          expect(shown.get(key(row))).toBe(all.filter((one) => key(one) === key(row)).length);
      }),
      { numRuns: 300 },
    );
  });
});
