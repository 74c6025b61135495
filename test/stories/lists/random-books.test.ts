import { Decimal } from "decimal.js";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Answer, openSession, type Session } from "../../setup/clients.ts";
import type { SqlUpstream } from "../../setup/sql-upstream.ts";
import { startBooks } from "./books.ts";
import { expectToClose, openSchemas, restsOf, summaryOf, sumsOf } from "./laws.ts";
import { walk } from "./walk.ts";

// Books of any charges, credits and currencies, in pages of three: what is told of them, page after page, against SQL.

let books: SqlUpstream;
let session: Session;
let expectSchema: Awaited<ReturnType<typeof openSchemas>>;

beforeAll(async () => {
  books = await startBooks();
  session = await openSession(["test/fixtures/stories/lists/books.curation.yaml"], { BOOKS_URL: books.url });
  expectSchema = await openSchemas(session);
});
afterAll(async () => {
  await session?.close();
  await books?.stop();
});

interface Charge {
  readonly tag: string | null;
  readonly amount: string;
  readonly currency: string | null;
}

const amounts = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.integer({ min: 1, max: 99_999_999 }).map((thousandths) => (thousandths / 1000).toFixed(3)),
  },
  {
    weight: 1,
    arbitrary: fc.integer({ min: -999_999, max: -1 }).map((thousandths) => (thousandths / 1000).toFixed(3)),
  },
  { weight: 1, arbitrary: fc.constantFrom("0", "0.005", "0.015", "-0.005", "0.001", "100000000.01", "33.333") },
);
const charges = (currency: fc.Arbitrary<string | null>): fc.Arbitrary<Charge[]> =>
  fc.array(fc.record({ tag: fc.constantFrom("web", "db", "ci", null), amount: amounts, currency }), { maxLength: 14 });
const lists = fc.oneof(
  charges(fc.constant("USD")),
  charges(fc.constantFrom("USD", "EUR", "JPY")),
  charges(fc.constantFrom("USD", "USD", null)),
);

let accounts = 0;
async function keep(rows: readonly Charge[]): Promise<string> {
  accounts += 1;
  const account = `random${accounts}`;
  for (const [at, { tag, amount, currency }] of rows.entries())
    await books.database.rows("INSERT INTO charges VALUES ($1, $2::INTEGER, $3, $4, $5::DECIMAL(18,3), $6)", [
      account,
      at,
      `${account}-${at}`,
      tag,
      amount,
      currency,
    ]);
  return account;
}

const round = (exact: Decimal) => exact.toDecimalPlaces(2, Decimal.ROUND_HALF_UP).toNumber() + 0;

function sumsBy(rows: readonly Charge[]): Map<string | undefined, Decimal> {
  const sums = new Map<string | undefined, Decimal>();
  for (const { currency, amount } of rows)
    sums.set(currency ?? undefined, (sums.get(currency ?? undefined) ?? new Decimal(0)).plus(amount));
  return sums;
}

/** What one reply says of the whole is true of the whole, whatever page it is. */
function expectTruth(tool: string, answer: Answer, rows: readonly Charge[]): void {
  const sums = sumsBy(rows);
  const told = sumsOf(answer);
  const withheld = summaryOf(answer).totalWithheld?.code;
  if (withheld !== undefined) expect(["MIXED_CURRENCY", "MIXED_UNITS", "PARTIAL_PAGES"]).toContain(withheld);
  const isMixed = new Set(rows.map(({ currency }) => currency)).size > 1;
  if (tool === "list_plain" && isMixed) expect([withheld, told]).toStrictEqual(["MIXED_CURRENCY", []]);
  for (const { currency, total } of told) {
    const exact =
      tool === "list_unitless" ? [...sums.values()].reduce((a, b) => a.plus(b), new Decimal(0)) : sums.get(currency);
    expect([currency, total]).toStrictEqual([currency, round(exact ?? new Decimal(0))]);
  }
  const isSaid = tool === "list_charges" || tool === "charges_by_tag" || tool === "sum_by_tag";
  if (isSaid && !sums.has(undefined) && rows.length > 0)
    expect(told.map(({ currency }) => currency).toSorted()).toStrictEqual([...sums.keys()].toSorted());
}

const TOOLS = ["list_charges", "list_plain", "list_unitless", "list_walked", "charges_by_tag", "sum_by_tag"];

test("every page of any list closes, and no total is another than SQL's", async () => {
  const law = fc.asyncProperty(
    lists,
    fc.constantFrom(...TOOLS),
    fc.array(fc.constantFrom(undefined, 1, 2, 3, 4, 7), { minLength: 1, maxLength: 3 }),
    async (rows, tool, limits) => {
      const account = await keep(rows);
      const { replies, rows: met } = await walk(session, tool, { account }, limits);
      for (const [at, reply] of replies.entries()) {
        const unit = tool === "list_unitless" ? {} : { unit: "currency" };
        expectToClose(reply, { measure: "amount", round: 2, ...unit });
        expectSchema(tool, reply);
        expectTruth(tool, reply, rows);
        if (at > 0) expect(restsOf(reply)).toStrictEqual([]);
      }
      const groups = new Set(rows.map(({ tag, currency }) => `${tag} ${currency}`)).size;
      expect(met).toHaveLength(tool.endsWith("by_tag") ? groups : rows.length);
    },
  );
  await fc.assert(law, { numRuns: 250, endOnFailure: true });
}, 120_000);
