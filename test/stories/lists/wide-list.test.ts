import { Decimal } from "decimal.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSession, type Session } from "../../setup/clients.ts";
import { type SqlUpstream, startSqlUpstream } from "../../setup/sql-upstream.ts";
import { expectToClose, restsOf, summaryOf } from "./laws.ts";
import { walk } from "./walk.ts";

// 375 wide items, 347 kB in one page of the upstream: what a catalogue of a real cost API weighs.

const ITEMS = 375;
const TABLES = [
  `CREATE TABLE items AS SELECT i::INTEGER AS id, 'Item ' || i AS name, CAST((i * 7919) % 100003 AS DECIMAL(18,3)) / 7 + 0.005 AS cost, 'USD' AS currency,
    repeat('What it is and what it is not, said at length, item ' || i || '. ', 9) || repeat('w', i % 200) AS words,
    map {'team': 't' || i % 9, 'environment': 'production', 'owner': 'somebody-' || i, 'note': repeat('x', 158)} AS labels FROM range(${ITEMS}) t(i)`,
];
const JSON_ROW =
  "to_json({id: id, name: name, cost: cost::DOUBLE, currency: currency, words: words, labels: labels})::VARCHAR AS item";

let wide: SqlUpstream;
let session: Session;
let bytes = 0;

beforeAll(async () => {
  wide = await startSqlUpstream(TABLES, async ({ path, url }, database) => {
    if (path === "/sum") {
      const [sum] = await database.rows("SELECT sum(cost)::DOUBLE AS cost FROM items");
      return { body: { cost: sum?.["cost"], currency: "USD" } };
    }
    const limit = path === "/catalogue" ? ITEMS : Math.min(1000, Number(url.searchParams.get("limit") ?? 50));
    const rows = await database.rows(
      `SELECT ${JSON_ROW} FROM items ORDER BY id LIMIT ${limit} OFFSET ${Number(url.searchParams.get("offset") ?? 0)}`,
    );
    const body = { items: rows.map(({ item }) => JSON.parse(String(item)) as unknown) };
    bytes = Buffer.byteLength(JSON.stringify(body));
    return { body };
  });
  session = await openSession(["test/fixtures/stories/lists/wide.curation.yaml"], { WIDE_URL: wide.url });
});
afterAll(async () => {
  await session?.close();
  await wide?.stop();
});

const paths = () => wide.asked.map(({ path }) => path).toSorted();

describe.each([
  ["list_items", "/items"],
  ["list_largest", "/items"],
  ["list_catalogue", "/catalogue"],
])("%s", (tool, path) => {
  test("is a reply of at most 25 kB with the true total and the way to the rest, from one page and one aggregate", async () => {
    wide.forget();
    const answer = await session.call(tool);
    expect(paths()).toStrictEqual([path, "/sum"].toSorted());
    expect(bytes).toBeGreaterThan(340_000);
    expect(bytes).toBeLessThan(360_000);
    expectToClose(answer, { measure: "cost", unit: "currency", round: 2 });
    expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(25_000);
    expect(Buffer.byteLength(answer.text)).toBeGreaterThan(20_000);
    const [sum] = await wide.database.rows("SELECT round(sum(cost), 2)::DOUBLE AS cost FROM items");
    expect(summaryOf(answer)).toMatchObject({
      total: sum?.["cost"],
      currency: "USD",
      returned: answer.json["rowCount"],
    });
    expect(restsOf(answer), answer.text.slice(0, 900)).toHaveLength(1);
    expect(answer.json).toMatchObject({ hasMore: true, nextPageToken: expect.any(String) });
    expect(answer.json["note"]).toMatch(/pageToken/);
  });

  test("walked to its end, it is every item once, no reply over 25 kB", async () => {
    const { rows, replies } = await walk(session, tool, {}, [undefined]);
    expect(rows).toHaveLength(ITEMS);
    expect(new Set(rows.map((row) => row["id"])).size).toBe(ITEMS);
    for (const { text } of replies) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(25_000);
    const total = rows.reduce((all, row) => all.plus(Number(row["cost"])), new Decimal(0));
    expect(total.minus(summaryOf(replies[0]!).total!).abs().toNumber()).toBeLessThan(ITEMS * 0.005);
    if (tool === "list_largest")
      expect(rows.map((row) => Number(row["cost"]))).toStrictEqual(
        rows.map((row) => Number(row["cost"])).toSorted((a, b) => b - a),
      );
  });
});

test("with the limit of a page that fits, the upstream is asked for about as many", async () => {
  wide.forget();
  const answer = await session.call("list_items", { limit: 10 });
  expect(answer.json).toMatchObject({ rowCount: 10, hasMore: true });
  const sizes = wide.asked.flatMap(({ path, url }) =>
    path === "/items" ? [Number(url.searchParams.get("limit"))] : [],
  );
  expect(sizes).toHaveLength(1);
  expect(sizes[0]).toBeLessThanOrEqual(12);
});
