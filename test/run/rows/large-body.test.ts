import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../../src/model/json.ts";
import { planOf } from "../pages/scripted-list.ts";
import { column, expression, value } from "../shape-fixture.ts";
import { openUpstream, type Upstream } from "./body-runner.ts";

/** Of one that is too large to be held, 4 MB. */
const COUNT = 6_000;
const rowOf = (at: number): JsonObject => ({
  id: `i-${at}`,
  name: `Thing ${at}`,
  amount: (at * 37) % 1_000,
  note: "n".repeat(700),
});
const ROWS = Array.from({ length: COUNT }, (_, at) => rowOf(at));
const idsOf = ({ data }: { data: JsonObject }) => (data["data"] as readonly JsonObject[]).map(({ id }) => id);
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `i-${from + at}`);

const TOTALS = {
  kind: "aggregate",
  measure: "amount",
  additive: true,
  caveats: [],
  call: { operation: 1, bindings: [] },
  value: expression("sum"),
} as const;

describe("a body that is too large to be held", () => {
  const cases: [string, boolean, number][] = [
    ["stops when the rows are there, where the upstream says how long it is", true, 0.1],
    ["stops behind the size that is looked through whole, where nobody says how long it is", false, 0.95],
  ];
  test.each(cases)("%s", async (_, saysLength, most) => {
    const { call, sent } = openUpstream({ answer: () => ({ items: ROWS, has_more: true }), saysLength });
    const { data } = await call();
    expect(data).toMatchObject({ rowCount: 20, hasMore: true });
    expect(data["note"]).toBe(
      "The first 20 rows; there are more. Raise `limit` (max 5000) or pass nextPageToken as `pageToken` for more.",
    );
    expect(sent[0]!.bytes / sent[0]!.of).toBeLessThan(most);
  });

  const trailing: [string, (rows: readonly Json[]) => Json, NonNullable<Upstream["shape"]>][] = [
    ["beside them", (rows) => ({ items: rows, included: ROWS }), {}],
    ["in what they are in", (rows) => ({ a: { items: rows, more: "x" }, z: ROWS }), { rows: expression("a.items") }],
    ["before and behind them", (rows) => ({ z: ROWS, items: rows, included: ROWS }), {}],
  ];
  test.each(trailing)("gives its rows where most of it stands %s", async (_, bodyOf, shape) => {
    for (const saysLength of [true, false]) {
      const { call, sent } = openUpstream({ answer: () => bodyOf(ROWS.slice(0, 25)), saysLength, shape });
      const first = await call();
      expect(idsOf(first)).toEqual(range(0, 20));
      expect(first.data).toMatchObject({ hasMore: true });
      expect(sent[0]!.bytes).toBeLessThan(sent[0]!.of);
      const last = await call({ pageToken: first.data["nextPageToken"] as Json });
      expect(idsOf(last)).toEqual(range(20, 25));
      expect(last.data).toMatchObject({ hasMore: false });
    }
  });

  test("does not say how many rows the upstream sent, where they were not counted", async () => {
    const { call } = openUpstream({ answer: () => ({ next: "/?page=2", items: ROWS }), saysLength: true });
    const { data } = await call();
    expect(data["omitted"]).toEqual([
      { what: "rows", kept: "20, and the upstream has more", get: "Narrow the arguments" },
    ]);
  });

  test("has no rows out of reach where it says of more than were read", async () => {
    const { call, sent } = openUpstream({ answer: () => ({ total: COUNT, items: ROWS }), saysLength: true });
    const { data } = await call();
    expect(data).toMatchObject({ rowCount: 20, hasMore: true, nextPageToken: expect.any(String) });
    expect(data["omitted"]).toBeUndefined();
    expect(sent[0]!.bytes).toBeLessThan(sent[0]!.of / 2);
  });

  test("gives every row once to who follows its page tokens, and says at the end how many there are", async () => {
    const { call } = openUpstream({ answer: () => ({ items: ROWS }), saysLength: true, shape: { budget: 10_000_000 } });
    const seen: Json[] = [];
    let token: Json | undefined;
    let last: JsonObject = {};
    do {
      const page = await call({ limit: 1_900, ...(token !== undefined && { pageToken: token }) });
      seen.push(...(idsOf(page) as Json[]));
      last = page.data;
      token = last["nextPageToken"];
    } while (token !== undefined);
    expect(seen).toEqual(range(0, COUNT));
    expect(last).toMatchObject({ rowCount: 300, hasMore: false });
  });

  test("says that rows moved, and repeats one rather than to miss one, where the row shown last is gone", async () => {
    let rows = ROWS;
    const { call } = openUpstream({ answer: () => ({ items: rows }), saysLength: true });
    const first = await call();
    rows = ROWS.slice(1);
    const second = await call({ pageToken: first.data["nextPageToken"] as Json });
    expect(idsOf(first)).toEqual(range(0, 20));
    expect(idsOf(second)).toEqual(range(20, 40));
    expect(second.data["note"]).toMatch(/^Rows moved since the page before \(SNAPSHOT_DRIFT\)/);
  });

  test("is read to its end where it counts its rows itself, and where rows are looked at together", async () => {
    const body = { items: ROWS, n: COUNT };
    const shapes = [
      { totals: { kind: "count", count: expression("n") } as const },
      { order: [{ by: [{ column: "amount", descending: true }] }] },
      { search: value("input.q") },
      { group: { by: ["amount"], sum: [], count: "n", maxPages: 1 } },
    ];
    for (const shape of shapes) {
      const { call, sent } = openUpstream({ answer: () => body, saysLength: true, shape });
      const [part, whole] = [await call({ q: "thing 5999" }), await call({ q: "thing 5999" }, true)];
      expect(part.text).toBe(whole.text);
      expect(sent[0]!.bytes).toBe(sent[0]!.of);
      expect(JSON.stringify(part.bodies).length).toBeLessThan(0.2 * sent[0]!.of);
    }
  });

  test("is read to its end where the total stands behind its rows", async () => {
    const totals = { ...TOTALS, call: { operation: 0, bindings: [] } };
    const { call, sent } = openUpstream({
      answer: () => ({ items: ROWS, sum: 3_000_000 }),
      saysLength: true,
      shape: { totals, fields: [column("amount")] },
    });
    const [part, whole] = [await call(), await call({}, true)];
    expect(part.data["summary"]).toMatchObject({ total: 3_000_000 });
    expect(part.text).toBe(whole.text);
    expect(sent[0]!.bytes).toBe(sent[0]!.of);
  });

  test("is not compared with the sum of all rows where the total is a call of its own", async () => {
    const answer = ({ pathname }: URL) => (pathname === "/sums" ? { sum: 3_000_000 } : { items: ROWS });
    const { call, sent } = openUpstream({
      answer,
      saysLength: true,
      shape: { totals: TOTALS, fields: [column("amount")] },
    });
    const { data } = await call();
    expect(data["summary"]).toMatchObject({ total: 3_000_000, returned: 20 });
    expect(data).toMatchObject({ hasMore: true, other: {} });
    expect(sent.map(({ bytes, of }) => bytes < of / 2)).toContain(true);
  });

  test("has its pages followed", async () => {
    const { call } = openUpstream({
      answer: (url) => ({
        items: url.searchParams.has("token") ? ROWS.slice(0, 5) : ROWS,
        next: url.searchParams.has("token") ? null : "2",
      }),
      pages: planOf("token"),
      shape: { budget: 10_000_000 },
    });
    const first = await call({ limit: 5_000 });
    expect(idsOf(first)).toEqual(range(0, 5_000));
    const second = await call({ limit: 5_000, pageToken: first.data["nextPageToken"] as Json });
    expect(idsOf(second)).toEqual([...range(5_000, COUNT), ...range(0, 5)]);
    expect(second.data).toMatchObject({ hasMore: false });
  });
});
