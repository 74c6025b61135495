import { afterAll, beforeAll, expect, test } from "vitest";
import type { Session } from "../../setup/clients.ts";
import { type SqlUpstream, startSqlUpstream } from "../../setup/sql-upstream.ts";
import { openStripe } from "./stripe-at.ts";
import { walk } from "./walk.ts";

// Revenue by currency over 30 days: amounts in minor units, times in Unix seconds, three pages of the upstream.

const NOW = Math.floor(Date.now() / 1000);
const DAY = 86_400;

/** How many movements of a kind, each of the same amount and fee, in minor units. */
type Movements = readonly [count: number, type: string, currency: string, amount: number, fee: number, age: number];

// `age` in seconds of the newest; each further one is two hours older, so that kinds and currencies interleave over all pages.
const BOOKS: readonly Movements[] = [
  [120, "charge", "usd", 1234, 66, 60],
  [60, "charge", "eur", 9999, 320, 120],
  [40, "charge", "jpy", 5000, 180, 180],
  [7, "charge", "kwd", 1005, 45, 240],
  [9, "refund", "usd", -1234, 0, 300],
  [1, "payout", "usd", -100_000, 0, 360],
  // Before the range.
  [15, "charge", "usd", 100_000_000, 0, 30 * DAY + 600],
  [3, "charge", "sek", 777, 7, 45 * DAY],
];

/**
 * By hand. usd: 120 × 12.34 = 1,480.80, fees 120 × 0.66 = 79.20, net 1,401.60; refunds 9 × -12.34 = -111.06; payout -1,000.00.
 * eur: 60 × 99.99 = 5,999.40, fees 60 × 3.20 = 192.00, net 5,807.40. jpy has no minor unit: 40 × 5,000 = 200,000, fees 40 × 180 = 7,200,
 * net 192,800. kwd has three places: 7 × 1.005 = 7.035, fees 7 × 0.045 = 0.315, net 6.72.
 */
const WANT = [
  { currency: "eur", reporting_category: "charge", amount: 5999.4, fee: 192, net: 5807.4, movements: 60 },
  { currency: "jpy", reporting_category: "charge", amount: 200_000, fee: 7200, net: 192_800, movements: 40 },
  { currency: "kwd", reporting_category: "charge", amount: 7.035, fee: 0.315, net: 6.72, movements: 7 },
  { currency: "usd", reporting_category: "charge", amount: 1480.8, fee: 79.2, net: 1401.6, movements: 120 },
  { currency: "usd", reporting_category: "refund", amount: -111.06, fee: 0, net: -111.06, movements: 9 },
  { currency: "usd", reporting_category: "payout", amount: -1000, fee: 0, net: -1000, movements: 1 },
];

const TABLES = [
  "CREATE TABLE movements (id VARCHAR, type VARCHAR, currency VARCHAR, amount BIGINT, fee BIGINT, created BIGINT)",
  ...BOOKS.map(
    ([count, type, currency, amount, fee, age]) =>
      `INSERT INTO movements SELECT 'txn_${type}_${currency}_${age}_' || i, '${type}', '${currency}', ${amount}, ${fee}, ${NOW - age} - i * 7200 FROM range(${count}) t(i)`,
  ),
];

let stripe: SqlUpstream;
let session: Session;

beforeAll(async () => {
  stripe = await startSqlUpstream(TABLES, async ({ path, url }, database) => {
    if (path !== "/v1/balance_transactions") return undefined;
    const ask = (name: string) => url.searchParams.get(name);
    const size = Math.min(100, Number(ask("limit") ?? 10));
    const rows = await database.rows(
      `SELECT id, type, type AS reporting_category, currency, amount::DOUBLE AS amount, fee::DOUBLE AS fee, (amount - fee)::DOUBLE AS net,
        created::DOUBLE AS created, created::DOUBLE AS available_on
      FROM movements WHERE created >= $1::BIGINT AND created < $2::BIGINT AND ($3::VARCHAR IS NULL OR type = $3) AND ($4::VARCHAR IS NULL OR currency = $4)
        AND ($5::VARCHAR IS NULL OR (created, id) < (SELECT (created, id) FROM movements WHERE id = $5))
      ORDER BY created DESC, id DESC LIMIT ${size + 1}`,
      [
        ask("created[gte]") ?? "0",
        ask("created[lt]") ?? "99999999999",
        ask("type"),
        ask("currency"),
        ask("starting_after"),
      ],
    );
    const data = rows
      .slice(0, size)
      .map((row) => ({ object: "balance_transaction", status: "available", description: null, ...row }));
    return { body: { object: "list", url: path, has_more: rows.length > size, data } };
  });
  session = await openStripe(stripe.url);
});
afterAll(async () => {
  await session?.close();
  await stripe?.stop();
});

test("by currency over the last 30 days equals the table made by hand", async () => {
  stripe.forget();
  const { json } = await session.call("stripe_sum_transactions");
  expect(json.data).toStrictEqual(WANT);
  expect(json).toMatchObject({ rowCount: 6, hasMore: false });
  const pages = stripe.asked.map(({ url }) => Object.fromEntries(url.searchParams));
  expect(pages).toHaveLength(3);
  expect(new Set(pages.map((page) => page["created[gte]"])).size).toBe(1);
  expect(Math.abs(Number(pages[0]?.["created[gte]"]) - (Date.now() / 1000 - 30 * DAY))).toBeLessThan(120);
  expect(pages.map((page) => page["limit"])).toStrictEqual(["100", "100", "100"]);
  expect(pages.map((page) => page["starting_after"] !== undefined)).toStrictEqual([false, true, true]);
});

test("of one kind, or one currency, it is that part of the table", async () => {
  const charges = await session.call("stripe_sum_transactions", { type: "charge" });
  expect(charges.json.data).toStrictEqual(WANT.filter((row) => row.reporting_category === "charge"));
  const jpy = await session.call("stripe_sum_transactions", { currency: "jpy" });
  expect(jpy.json.data).toStrictEqual(WANT.filter((row) => row.currency === "jpy"));
  const none = await session.call("stripe_sum_transactions", { currency: "chf" });
  expect(none.json).toMatchObject({ rowCount: 0, hasMore: false, note: expect.stringContaining("Nothing moved") });
});

test("cut by limit, the pages are one table", async () => {
  const { rows } = await walk(session, "stripe_sum_transactions", {}, [2]);
  expect(rows).toStrictEqual(WANT);
});

test("the movements themselves are met once each, newest first, over all pages", async () => {
  const { rows, replies } = await walk(session, "stripe_list_transactions", {}, [undefined, 100, 7]);
  const ids = await stripe.database.rows(
    `SELECT id FROM movements WHERE created >= ${NOW - 30 * DAY} ORDER BY created DESC, id DESC`,
  );
  expect(rows.map((row) => row["id"])).toStrictEqual(ids.map(({ id }) => id));
  expect(replies.length).toBeGreaterThan(3);
});
