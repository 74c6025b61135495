import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Call } from "../../../src/model/call.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import type { OrderRule } from "../../../src/model/shape.ts";
import type { Plan } from "../../../src/model/tool.ts";
import type { Value } from "../../../src/model/value.ts";
import { callOf, place, planOf, STYLES } from "../pages/scripted-list.ts";
import { expression, value } from "../shape-fixture.ts";
import { input, NOW } from "../validate-fixture.ts";
import { rowsOf, startList, walkTokens } from "./walk-runner.ts";

/** Rows of very different sizes, so that the budget cuts where the limit does not. */
const lists = fc
  .array(fc.integer({ min: 0, max: 400 }), { maxLength: 90 })
  .map((sizes) => sizes.map((size, id): JsonObject => ({ id: `r${id}`, at: "x".repeat(size) })));
const limits = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 3 });
const budgets = fc.integer({ min: 1_000, max: 6_000 });

describe("walking a tool's list by its page tokens gives every row once, and ends with hasMore: false", () => {
  test.each(STYLES)("%s", async (style) => {
    const property = fc.asyncProperty(
      lists,
      limits,
      budgets,
      fc.integer({ min: 1, max: 40 }),
      async (rows, steps, budget, sizeMax) => {
        const script = { rows: () => rows, size: sizeMax, bound: sizeMax };
        const replies = await walkTokens(startList({ style, script, shape: { budget }, sizeMax }), steps);
        expect(rowsOf(replies).map(({ id }) => id)).toStrictEqual(rows.map(({ id }) => id));
        expect(replies.map(({ hasMore }) => hasMore)).toStrictEqual(replies.map((_, at) => at < replies.length - 1));
        expect(replies.every(({ rowCount, data }) => rowCount === (data as unknown[]).length)).toBe(true);
        for (const reply of replies) expect(Buffer.byteLength(JSON.stringify(reply))).toBeLessThanOrEqual(budget);
      },
    );
    await fc.assert(property, { numRuns: 40 });
  });

  const rule = fc.record({ column: fc.constantFrom("at", "id"), descending: fc.boolean() });
  test.each([undefined, ...STYLES])("in an order of ours, over %s", async (style) => {
    const property = fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 60 }),
      fc.array(rule, { minLength: 1, maxLength: 2 }),
      limits,
      budgets,
      fc.integer({ min: 1, max: 40 }),
      async (values, by, steps, budget, sizeMax) => {
        const rows = values.map((at, id): JsonObject => ({ id, at }));
        const order: OrderRule[] = [{ by }];
        const script = { rows: () => rows, size: sizeMax, bound: sizeMax };
        const shape = { budget, order, all: { max: 1_000 } };
        const listing = style
          ? { style, script, shape, sizeMax }
          : { script: { ...script, size: 1_000, bound: 1_000 }, shape };
        const replies = await walkTokens(startList(listing), steps);
        const walked = rowsOf(replies);
        expect(walked.map(({ id }) => Number(id)).sort((a, b) => a - b)).toStrictEqual(rows.map(({ id }) => id));
        const [first] = by;
        for (const [at, row] of walked.slice(1).entries()) {
          const [before, after] = [Number(walked[at]?.[first!.column]), Number(row[first!.column])];
          expect(first!.descending ? before >= after : before <= after).toBe(true);
        }
        expect(replies.at(-1)?.hasMore).toBe(false);
      },
    );
    await fc.assert(property, { numRuns: 25 });
  });
});

describe("a page token of a tool", () => {
  const script = { rows: () => Array.from({ length: 30 }, (_, id) => ({ id, at: "a" })) };
  const SECRETS = ["the secret of two processes"];
  const first = async (args: JsonObject = {}, key: JsonObject = {}) => {
    const reply = await startList({ style: "token", script, secrets: SECRETS }).call(args, key);
    return String(reply.nextPageToken);
  };

  test("works in another process that has the secret, also with another limit", async () => {
    const pageToken = await first({ q: "x" });
    const reply = await startList({ style: "token", script, secrets: ["a newer secret of them", ...SECRETS] }).call({
      q: "x",
      pageToken,
      limit: 3,
    });
    expect(rowsOf([reply]).map(({ id }) => id)).toStrictEqual([5, 6, 7]);
  });

  const refused: [title: string, args: JsonObject, key: JsonObject, secrets: string[]][] = [
    ["with another argument", { q: "y" }, {}, SECRETS],
    ["without an argument", {}, {}, SECRETS],
    ["with another key", { q: "x" }, { tenant: "b" }, SECRETS],
    ["where the secret is another", { q: "x" }, {}, ["another secret altogether"]],
  ];
  test.each(refused)("is refused %s, and nothing is sent", async (_, args, key, secrets) => {
    const pageToken = await first({ q: "x" });
    const { call, sent } = startList({ style: "token", script, secrets });
    expect(await call({ ...args, pageToken }, key)).toMatchObject({ error: "invalid_cursor", path: "pageToken" });
    expect(sent).toStrictEqual([]);
  });

  test("is refused with one bit flipped, and nothing is sent", async () => {
    const pageToken = await first();
    const { call, sent } = startList({ style: "token", script, secrets: SECRETS });
    for (let at = 0; at < pageToken.length; at += 7) {
      const flipped = String.fromCharCode(pageToken.charCodeAt(at) ^ 1);
      const reply = await call({ pageToken: `${pageToken.slice(0, at)}${flipped}${pageToken.slice(at + 1)}` });
      expect(reply).toMatchObject({ error: "invalid_cursor" });
    }
    expect(sent).toStrictEqual([]);
  });

  test("is refused when it is too old", async () => {
    const pageToken = await first();
    const server = { name: "t", instructions: "", structured: true, pageTokenTtlMs: 60_000 };
    const at = (ms: number) =>
      startList({
        style: "token",
        script,
        secrets: SECRETS,
        toolset: { server },
        now: () => new Date(NOW.getTime() + ms),
      });
    expect(await at(60_000).call({ pageToken })).toMatchObject({ rowCount: 5 });
    expect(await at(60_001).call({ pageToken })).toMatchObject({ error: "cursor_expired", retryable: false });
  });

  test("asks about the same range on every page, however long that takes", async () => {
    let now = NOW;
    const ago = { words: "1 hour ago", amount: -1, unit: "hour" as const };
    const since = {
      name: "since",
      required: false,
      type: { kind: "date-time" as const },
      default: { kind: "relative" as const, time: ago },
    };
    const bindings = [
      {
        place: { in: "query" as const, name: "since", pointer: [] },
        value: value("input.since"),
        pinned: false,
        type: "string" as const,
        required: false,
        nullable: false,
      },
    ];
    const plan = { kind: "call" as const, call: callOf(planOf("offset"), { bindings }) };
    const { call, sent } = startList({ style: "offset", script, now: () => now, tool: { inputs: [since], plan } });
    let reply = await call();
    for (let page = 0; page < 3; page += 1) {
      now = new Date(now.getTime() + 60_000);
      reply = await call({ pageToken: reply.nextPageToken! });
    }
    expect(reply).toMatchObject({ rowCount: 5 });
    expect(new Set(sent.map((url) => new URL(url).searchParams.get("since"))).size).toBe(1);
  });
});

describe("a list that must be read whole", () => {
  const script = { rows: () => Array.from({ length: 30 }, (_, id) => ({ id, at: "a" })), bound: 10 };
  const order = [{ by: [{ column: "id", descending: true }] }];

  test("is read whole, in pages of the largest size", async () => {
    const { call, sent } = startList({ style: "offset", script, sizeMax: 10, shape: { order, all: { max: 30 } } });
    expect(rowsOf([await call()]).map(({ id }) => id)).toStrictEqual([29, 28, 27, 26, 25]);
    expect(sent.map((url) => new URL(url).search)).toStrictEqual([
      "?size=10&offset=0",
      "?size=10&offset=10",
      "?size=10&offset=20",
      "?size=10&offset=30",
    ]);
  });

  test("is refused where it is longer than may be read, with what makes it shorter", async () => {
    const { call } = startList({
      style: "offset",
      script,
      shape: { order, all: { max: 29 } },
      tool: { plan: plan({ bindings: [binding("q", value("input.q"))] }) },
    });
    expect(await call()).toMatchObject({
      error: "response_too_large",
      message: expect.stringContaining("more than 29 rows"),
      recover: "Narrow the list with `q`, and call again.",
      retryable: false,
    });
  });

  test.each<[what: string, shape: Parameters<typeof startList>[0]["shape"], bindings: Call["bindings"]]>([
    ["is only what rows are grouped by", { group: { by: [value("input.q")], sum: [], maxPages: 9 } }, []],
    ["is only searched for", { search: value("input.q") }, []],
    ["is only the size of a page", {}, [binding("size", value("input.q"))]],
    ["is only named in a text", {}, [binding("x", value("'q'")), binding("y", value("body.input.q"))]],
    ["begins another name", {}, [binding("x", value("input.query"))]],
  ])("where it is too long, an input does not narrow it that %s", async (_, shape, bindings) => {
    const inputs = [input("q", { kind: "string" }), input("limit", { kind: "integer" })];
    const tool = { inputs, plan: plan({ bindings }) };
    const { call } = startList({ style: "offset", script, shape: { order, all: { max: 29 }, ...shape }, tool });
    expect(await call({ limit: 1 })).toMatchObject({
      error: "response_too_large",
      recover: "Tell the user that the list is too long for this tool.",
    });
  });

  test("is refused where rows would be added up and the upstream has more than it sends", async () => {
    const rows = () => Array.from({ length: 3 }, (_, id) => ({ id, at: "a" }));
    const group = { by: ["at"], sum: [], count: "n", maxPages: 5 };
    const listing = { script: { rows }, shape: { rows: expression("rows[?`true`]"), group } };
    expect(rowsOf([await startList(listing).call()])).toStrictEqual([{ at: "a", n: 3 }]);
    const more = {
      ...listing,
      script: { rows: () => [...rows(), ...Array.from({ length: 20 }, () => ({ id: 9, at: "b" }))] },
    };
    expect(await startList(more).call()).toMatchObject({ error: "response_too_large" });
  });

  test("is searched whole too", async () => {
    const { call } = startList({ style: "offset", script, sizeMax: 10, shape: { search: value("input.q") } });
    expect(rowsOf([await call({ q: "29" })]).map(({ id }) => id)).toStrictEqual([29]);
    expect(rowsOf([await call({})]).map(({ id }) => id)).toStrictEqual([0, 1, 2, 3, 4]);
  });
});

test("an answer without a body says that it is done", async () => {
  const { call } = startList({ style: "page", script: { rows: () => [], nothing: true } });
  expect(await call()).toStrictEqual({ done: true });
});

function binding(name: string, value: Value): Call["bindings"][number] {
  return { ...place(name), value, pinned: false, required: false, nullable: false };
}

function plan(more: Partial<Call>): Plan {
  return { kind: "call", call: callOf(planOf("offset", { sizeMax: 10 }), more) };
}
