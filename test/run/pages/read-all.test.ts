import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Binding } from "../../../src/model/call.ts";
import type { Json } from "../../../src/model/json.ts";
import type { Ask } from "../../../src/run/exchange/ask-upstream.ts";
import { openPages } from "../../../src/run/pages/open-pages.ts";
import { fillPlace } from "../../../src/run/pages/page-styles.ts";
import { type AllRows, readAllPages } from "../../../src/run/pages/read-all.ts";
import { expression } from "../shape-fixture.ts";
import { failure, LISTING, place, planOf, reply, rowsWithIds, STYLES, scriptList, sourceOf } from "./scripted-list.ts";

const OPERATIONS = [LISTING];
const URL_ = "https://api.example.com/things";

/** Answers these bodies one after the other, the last one for ever. */
function answering(bodies: readonly Json[], headers: Record<string, string> = {}): { send: Ask; asked: () => number } {
  let asked = 0;
  return {
    asked: () => asked,
    send: async () => {
      asked += 1;
      return reply(bodies[Math.min(asked, bodies.length) - 1] ?? null, URL_, headers);
    },
  };
}

describe("all pages", () => {
  test.each(STYLES)("%s: every row comes once, and the bound is told", async (style) => {
    const property = fc.asyncProperty(
      fc.integer({ min: 0, max: 120 }),
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 130 }),
      fc.boolean(),
      async (length, sizeMax, most, isPages) => {
        const { send } = scriptList(style, { rows: () => rowsWithIds(length), size: sizeMax, bound: sizeMax });
        const bound = isPages ? { pages: most } : { rows: most };
        const read = await readAllPages(sourceOf(planOf(style, { sizeMax })), OPERATIONS, send, bound);
        const left = isPages ? Math.ceil(length / sizeMax) > most : length > most;
        expect(read?.left).toBe(left);
        if (!left) expect(read?.rows).toStrictEqual(rowsWithIds(length));
      },
    );
    await fc.assert(property, { numRuns: 100 });
  });

  test("one request is all of an upstream without pages; that it has more is told", async () => {
    const { send, asked } = answering([{ rows: [1, 2], has_more: true }]);
    const read = await readAllPages(sourceOf(), OPERATIONS, send, {});
    expect([asked(), read]).toStrictEqual([
      1,
      { rows: [1, 2], body: { rows: [1, 2], has_more: true }, pages: 1, left: false, unreachable: true },
    ]);
  });

  test("rows that are selected among, and a sum that is called total, say nothing of further rows", async () => {
    const body = { rows: [{ id: 1 }, { id: 2 }], total: 2 };
    const some = await readAllPages(sourceOf(undefined, "rows[?id > `1`]"), OPERATIONS, answering([body]).send, {});
    expect(some).toMatchObject({ rows: [{ id: 2 }], unreachable: false });
    const source = { ...sourceOf(), sum: (one: Json) => (one as { total: number }).total };
    const summed = await readAllPages(source, OPERATIONS, answering([{ ...body, total: 500 }]).send, {});
    expect(summed).toMatchObject({ unreachable: false });
  });

  test.each([
    ["comes again", async () => reply({ rows: rowsWithIds(3), total: 57 }, URL_)],
    ["is refused", async () => Promise.reject(failure(400))],
  ] as const)("where a short page counts more rows and the next one %s, that is told", async (_, further) => {
    let asked = 0;
    const send: Ask = async () => {
      asked += 1;
      return asked === 1 ? reply({ rows: rowsWithIds(3), total: 57 }, URL_) : further();
    };
    const read = await readAllPages(sourceOf(planOf("page", { sizeMax: 10 })), OPERATIONS, send, {});
    expect([asked, read]).toMatchObject([2, { rows: rowsWithIds(3), left: false, unreachable: true }]);
  });

  test("a page that is as short as it was asked for is not the last", async () => {
    const { send } = scriptList("offset", { rows: () => rowsWithIds(20) });
    const plan = planOf("offset", { sizeMax: 10 });
    const read = openPages(sourceOf(plan), plan, send);
    await read({ cursor: { kind: "number", number: 0 }, size: 4 });
    expect(await read({ cursor: { kind: "number", number: 4 }, size: 2 })).toMatchObject({ next: { number: 6 } });
  });

  test("of pages whose size nobody knows one that is shorter than the one before is the last", async () => {
    const { send, requests } = scriptList("page", { rows: () => rowsWithIds(25), size: 10 });
    await readAllPages(sourceOf(planOf("page")), OPERATIONS, send, {});
    expect(requests).toHaveLength(3);
  });

  test("a size that a pin sets stays", async () => {
    const { send, requests } = scriptList("page", { rows: () => rowsWithIds(5) });
    const pinned: Binding = { ...fillPlace(place("size"), 3), pinned: true };
    const source = sourceOf(planOf("page", { sizeMax: 10 }), "rows", { bindings: [pinned] });
    expect((await readAllPages(source, OPERATIONS, send, {}))?.rows).toStrictEqual(rowsWithIds(5));
    expect(requests.map(({ url }) => new URL(url).search)).toStrictEqual(["?page=1&size=3", "?page=2&size=3"]);
  });

  test("what may have an effect is sent once", async () => {
    const { send, asked } = answering([{ rows: [1], next: "t" }]);
    await readAllPages(sourceOf(planOf("token")), [{ ...LISTING, safe: false }], send, {});
    expect(asked()).toBe(1);
  });

  test("rows that are selected among are not what the upstream counts", async () => {
    const rows = Array.from({ length: 45 }, (_, id) => ({ id, open: id % 7 === 0 }));
    const { send } = scriptList("offset", { rows: () => rows, bound: 10 });
    const read = await readAllPages(sourceOf(planOf("offset", { sizeMax: 10 }), "rows[?open]"), OPERATIONS, send, {});
    expect(read?.rows).toStrictEqual(rows.filter(({ open }) => open));
  });

  test("an answer without a body is no list", async () => {
    const send: Ask = async () => ({ status: 204, headers: new Map(), bytes: 0, body: { kind: "empty" } });
    expect(await readAllPages(sourceOf(planOf("token")), OPERATIONS, send, {})).toBeUndefined();
  });

  test("a server that knows no ranges sends all at once", async () => {
    const { send, asked } = answering([{ rows: [1, 2, 3] }]);
    const read = await readAllPages(sourceOf(planOf("range", { sizeFixed: 2 })), OPERATIONS, send, {});
    expect([asked(), read?.rows]).toStrictEqual([1, [1, 2, 3]]);
  });

  test("a sequence that was cut has no next page", async () => {
    const send: Ask = async () => ({
      ...reply({ rows: [1], next: "t" }, URL_),
      body: { kind: "json", value: { rows: [1], next: "t" }, cut: "the time was up" },
    });
    const read: AllRows | undefined = await readAllPages(sourceOf(planOf("token")), OPERATIONS, send, {});
    expect(read).toMatchObject({ unreachable: true, cut: "the time was up" });
  });
});

describe("pages that never end are refused", () => {
  const endless: [title: string, ...Parameters<typeof answering>][] = [
    ["the same token again", [{ rows: [1], next: "t" }]],
    [
      "two tokens that lead to each other",
      [
        { rows: [1], next: "a" },
        { rows: [2], next: "b" },
        { rows: [3], next: "a" },
      ],
    ],
    ["a hundred pages without rows", Array.from({ length: 200 }, (_, at) => ({ rows: [], next: `t${at}` }))],
  ];
  test.each(endless)("%s", async (_, bodies) => {
    const { send } = answering(bodies);
    await expect(readAllPages(sourceOf(planOf("token")), OPERATIONS, send, {})).rejects.toMatchObject({
      code: "upstream_bad_response",
      message: expect.stringContaining("never ends"),
    });
  });

  test.each(["page", "offset", "range"] as const)("%s: the same page under another number", async (style) => {
    const headers = style === "range" ? { "content-range": "items 0-1/*" } : {};
    const { send } = answering([{ rows: [1, 2] }], headers);
    const plan = planOf(style, style === "range" ? { sizeFixed: 2 } : { sizeMax: 2 });
    await expect(readAllPages(sourceOf(plan), OPERATIONS, send, {})).rejects.toMatchObject({
      code: "upstream_bad_response",
    });
  });

  test("link: the same link again", async () => {
    const { send } = answering([{ rows: [1] }], { link: "<?p=2>; rel=next" });
    await expect(readAllPages(sourceOf(planOf("link")), OPERATIONS, send, {})).rejects.toMatchObject({
      code: "upstream_bad_response",
    });
  });

  test("last: the same row again", async () => {
    const { send } = answering([{ rows: [{ id: 1 }] }]);
    const plan = planOf("last", { more: expression("`true`") });
    await expect(readAllPages(sourceOf(plan), OPERATIONS, send, {})).rejects.toMatchObject({
      code: "upstream_bad_response",
    });
  });

  test("but the same token behind a page without rows is the end of a log", async () => {
    const { send } = answering([
      { rows: [1], next: "t" },
      { rows: [], next: "t" },
    ]);
    const read = await readAllPages(sourceOf(planOf("token")), OPERATIONS, send, {});
    expect(read).toMatchObject({ rows: [1], left: false, unreachable: false });
  });
});
