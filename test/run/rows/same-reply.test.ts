import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../../src/model/json.ts";
import type { Totals } from "../../../src/model/shape.ts";
import type { ErrorRule } from "../../../src/model/tool.ts";
import { planOf } from "../pages/scripted-list.ts";
import { column, expression, value } from "../shape-fixture.ts";
import { openUpstream, type Upstream } from "./body-runner.ts";

const TEXT = "Words that no column shows, as upstreams send many of them with each row. ";

const rowOf = (at: number, more: JsonObject = {}): JsonObject => ({
  kind: "thing",
  id: `i-${at}`,
  note: TEXT.repeat(2),
  name: `Thing ${at % 50}`,
  owner: { login: `o-${at % 7}`, url: TEXT, id: at },
  amount: (at * 37) % 1_000,
  currency: at % 2 === 0 ? "EUR" : "USD",
  tags: [{ name: "a" }, { name: TEXT }],
  ...more,
});
const rowsOf = (count: number, make: (at: number) => Json = rowOf) =>
  Array.from({ length: count }, (_, at) => make(at));
const without = (name: string) => (at: number) => {
  const { [name]: _, ...rest } = rowOf(at);
  return rest;
};

/** The answers of an upstream that gives all at once, and of one that cuts its list into pages of a hundred. */
const once = (body: Json) => () => body;
const paged = (rows: readonly Json[]) => (url: URL) => {
  const size = Number(url.searchParams.get("size") ?? 100);
  const from = Number(url.searchParams.get("offset") ?? (Number(url.searchParams.get("page") ?? 1) - 1) * size);
  return { items: rows.slice(from, from + size) };
};
const SUM = (url: URL, body: Json) => (url.pathname === "/sums" ? { sum: 99_900 } : body);
const totals = (more: Partial<Extract<Totals, { kind: "aggregate" }>> = {}): Totals => ({
  kind: "aggregate",
  measure: "amount",
  additive: true,
  caveats: [],
  call: { operation: 1, bindings: [] },
  value: expression("sum"),
  ...more,
});
const walk: Totals = { kind: "walk", measure: "amount", additive: true, caveats: [], maxPages: 9 };
const rule: ErrorRule = { status: "200", when: expression("items[300].id == 'i-300'"), error: "bad", recover: "No." };
const withUnits = [column("id"), column("amount", { unit: value("currency"), round: 1 })];

const cases: [title: string, upstream: Upstream, args?: JsonObject][] = [
  ["a limit", { answer: once({ items: rowsOf(400) }) }],
  ["more facts behind the rows", { answer: once({ items: rowsOf(400), has_more: true, total: 9_000 }) }],
  ["more facts before the rows", { answer: once({ total: 400, items: rowsOf(400) }) }],
  [
    "a count in the body",
    { answer: once({ items: rowsOf(400), n: 400 }), shape: { totals: { kind: "count", count: expression("n") } } },
  ],
  [
    "a count of another number",
    { answer: once({ items: rowsOf(400), n: 12 }), shape: { totals: { kind: "count", count: expression("n") } } },
  ],
  [
    "a count that is made of the rows",
    { answer: once({ items: rowsOf(400) }), shape: { totals: { kind: "count", count: expression("length(items)") } } },
  ],
  [
    "a count that is made of whatever the body has",
    {
      answer: once({ items: rowsOf(400) }),
      shape: { totals: { kind: "count", count: expression("length(values(@)[0])") } },
    },
  ],
  ["no limit", { answer: once({ items: rowsOf(100) }), shape: { budget: 100_000 } }, { limit: 5_000 }],
  ["a budget that few rows fit", { answer: once({ items: rowsOf(400) }), shape: { budget: 3_000 } }, { limit: 5_000 }],
  ["a body that is the list", { answer: once(rowsOf(400)), shape: { rows: expression("@") } }],
  [
    "rows deeper in the body",
    { answer: once({ a: { b: rowsOf(400), c: 1 }, d: [1] }), shape: { rows: expression("a.b") } },
  ],
  [
    "rows that are selected",
    { answer: once({ items: rowsOf(400) }), shape: { rows: expression("items[?amount > `500`]") } },
  ],
  ["no rows", { answer: once({ items: [], filler: TEXT.repeat(900) }) }],
  ["null for rows", { answer: once({ filler: TEXT.repeat(900), items: null }) }],
  ["no list", { answer: once({ filler: TEXT.repeat(900), items: { a: 1 } }) }],
  ["rows that are no objects", { answer: once({ items: rowsOf(9_000, (at) => (at % 3 ? at : null)) }) }],
  ["rows as they come", { answer: once({ items: rowsOf(400) }), shape: { fields: undefined as never } }],
  [
    "columns that may read anything",
    { answer: once({ items: rowsOf(400) }), shape: { fields: [column("n", { path: expression("length(keys(@))") })] } },
  ],
  [
    "columns that are made",
    {
      answer: once({ items: rowsOf(400) }),
      shape: { fields: [column("t", { path: expression("tags[*].name | join(', ', @)"), clip: 20 })] },
    },
  ],
  [
    "an order",
    { answer: once({ items: rowsOf(400) }), shape: { order: [{ by: [{ column: "amount", descending: true }] }] } },
  ],
  [
    "an order of rows without an ID",
    {
      answer: once({ items: rowsOf(400, without("id")) }),
      shape: { order: [{ by: [{ column: "owner", descending: false }] }] },
    },
  ],
  [
    "an order of rows without an ID that differ first in what no column shows",
    {
      answer: once({ items: rowsOf(400, (at) => ({ ...without("id")(at), amount: 1 })) }),
      shape: { order: [{ by: [{ column: "owner", descending: false }] }] },
    },
  ],
  ["a search", { answer: once({ items: rowsOf(400) }), shape: { search: value("input.q") } }, { q: "thing 17" }],
  [
    "groups",
    {
      answer: once({ items: rowsOf(400) }),
      shape: { group: { by: ["owner"], sum: ["amount"], count: "n", maxPages: 9 } },
    },
  ],
  ["a sum of all rows", { answer: once({ items: rowsOf(400) }), shape: { totals: walk, fields: withUnits } }],
  ["a total of its own", { answer: (url) => SUM(url, { items: rowsOf(400) }), shape: { totals: totals() } }],
  [
    "a total with a unit of the body",
    {
      answer: (url) => SUM(url, { items: rowsOf(400) }),
      shape: { totals: totals({ unit: value("items[0].currency") }) },
    },
  ],
  [
    "the list's own total",
    {
      answer: once({ items: rowsOf(400) }),
      shape: { totals: totals({ call: { operation: 0, bindings: [] }, value: expression("items[].amount | sum(@)") }) },
    },
  ],
  ["an error that a body tells", { answer: once({ items: rowsOf(400) }), tool: { errors: [rule] } }],
  ["pages", { answer: paged(rowsOf(400)), pages: planOf("offset", { sizeMax: 100 }) }, { limit: 150 }],
  [
    "pages that are all read",
    {
      answer: paged(rowsOf(400)),
      pages: planOf("page", { sizeMax: 100 }),
      shape: { order: [{ by: [{ column: "id", descending: true }] }] },
    },
  ],
  [
    "pages behind the last row",
    {
      answer: (url) => ({
        items: rowsOf(400, (at) => rowOf(at, { n: at }))
          .slice(Number(url.searchParams.get("after") ?? -1) + 1)
          .slice(0, 100),
      }),
      pages: { ...planOf("last"), next: expression("n") } as never,
    },
    { limit: 150 },
  ],
  [
    "the same page again",
    { answer: once({ items: rowsOf(100) }), pages: planOf("page", { sizeMax: 100 }) },
    { limit: 150 },
  ],
  [
    "pages that differ in what no column shows",
    {
      answer: (url) => ({ items: rowsOf(100, () => ({ note: TEXT.repeat(8) + url.search, amount: 1 })) }),
      pages: planOf("page", { sizeMax: 100 }),
      shape: { fields: [column("amount")] },
    },
    { limit: 250 },
  ],
];

const DAY_ROWS = (text: string) => rowsOf(300, (at) => ({ day: `d-${at}`, amount: at % 9, note: text }));
const NEW_DAY = { day: "new", amount: 1, note: TEXT };
/** A page of thirty is large but for the last. */
const DAYS_OF_PAGES = DAY_ROWS(TEXT.repeat(20));
const dayColumns = [column("day"), column("amount")];
/** Rows without an ID, as they were and as they are when the next page is asked for. */
const moves: [title: string, isTold: boolean, before: readonly Json[], after: readonly Json[], Upstream["pages"]?][] = [
  ["one in front", true, DAY_ROWS(TEXT), [NEW_DAY, ...DAY_ROWS(TEXT)]],
  ["the first is gone", true, DAY_ROWS(TEXT), DAY_ROWS(TEXT).slice(1)],
  // It may be that only its values are others.
  ["the one that was shown last is gone", false, DAY_ROWS(TEXT), DAY_ROWS(TEXT).filter((_, at) => at !== 19)],
  ["what no column shows has changed", false, DAY_ROWS(TEXT), DAY_ROWS(`${TEXT}!`)],
  ["most are gone, so that the body is a small one", true, DAY_ROWS(TEXT), DAY_ROWS(TEXT).slice(5, 40)],
  ["it was a small one", true, DAY_ROWS(TEXT).slice(0, 40), [NEW_DAY, ...DAY_ROWS(TEXT)]],
  ["pages of it", true, DAY_ROWS(TEXT), [NEW_DAY, ...DAY_ROWS(TEXT)], planOf("page", { sizeFixed: 250 })],
  [
    "pages, of which the last is a small one",
    true,
    DAYS_OF_PAGES,
    DAYS_OF_PAGES.slice(1),
    planOf("page", { sizeFixed: 30 }),
  ],
];

describe("rows without an ID that have moved since the page before", () => {
  test.each(moves)("are noticed as if the body had been read whole: %s", async (_, isTold, before, after, pages) => {
    let rows = before;
    const answer = (url: URL) => (pages === undefined ? { items: rows } : paged(rows)(url));
    const { call } = openUpstream({ answer, ...(pages && { pages }), shape: { fields: dayColumns } });
    const replies: string[] = [];
    for (const isFirstWhole of [true, false]) {
      for (const isSecondWhole of [true, false]) {
        rows = before;
        const { data } = await call({}, isFirstWhole);
        rows = after;
        replies.push((await call({ pageToken: data["nextPageToken"] as Json }, isSecondWhole)).text);
      }
    }
    expect(new Set(replies).size).toBe(1);
    expect(replies[0]!.includes("SNAPSHOT_DRIFT")).toBe(isTold);
  });
});

/** Where nothing can be spared, or nobody knows what is read. */
const READ_WHOLE = new Set([
  "a count that is made of the rows",
  "a count that is made of whatever the body has",
  "rows that are selected",
  "no rows",
  "null for rows",
  "no list",
  "a total with a unit of the body",
  "the list's own total",
  "an error that a body tells",
]);

describe("the reply is the same as if the body had been read whole", () => {
  test.each(cases)("%s", async (title, upstream: Upstream, args: JsonObject = {}) => {
    const { call } = openUpstream(upstream);
    let token: Json | undefined;
    for (let page = 0; page < 3; page += 1) {
      const asked = { ...args, ...(token !== undefined && { pageToken: token }) };
      const [whole, part] = [await call(asked, true), await call(asked)];
      expect(part.text).toBe(whole.text);
      const isLess = JSON.stringify(part.bodies).length < 0.9 * JSON.stringify(whole.bodies).length;
      expect(isLess).toBe(!READ_WHOLE.has(title));
      expect(part.reply).toMatchObject("rowsOmitted" in whole.reply ? { rowsOmitted: whole.reply.rowsOmitted } : {});
      token = part.data["nextPageToken"];
      if (token === undefined) return;
    }
  });
});
