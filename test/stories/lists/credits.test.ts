import { Decimal } from "decimal.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, openSession, type Session } from "../../setup/clients.ts";
import type { SqlUpstream } from "../../setup/sql-upstream.ts";
import { ACCOUNTS, startBooks } from "./books.ts";
import { expectToClose, openSchemas, restsOf, summaryOf, sumsOf } from "./laws.ts";

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

const COLUMNS = { measure: "amount", unit: "currency", round: 2 };

async function ask(tool: string, account: string, more: Record<string, unknown> = {}): Promise<Answer> {
  const answer = await session.call(tool, { account, ...more });
  expectToClose(answer, COLUMNS);
  expectSchema(tool, answer);
  return answer;
}

/** The sums of an account, past the API. */
async function sumsByCurrency(account: string): Promise<Map<unknown, number>> {
  const rows = await books.database.rows(
    "SELECT currency, sum(amount)::DOUBLE AS amount FROM charges WHERE account = $1 GROUP BY 1",
    [account],
  );
  return new Map(rows.map((row) => [row["currency"], Number(row["amount"])]));
}

const TOOLS_OVER_ROWS = ["list_charges", "list_plain", "list_unitless", "list_walked"];

describe("an account of 1,000 with a credit of -500", () => {
  test.each(TOOLS_OVER_ROWS.flatMap((tool) => [[tool, "creditFirst"] as const, [tool, "creditLast"] as const]))(
    "%s of %s has the total 500 and gross parts, and no share",
    async (tool, account) => {
      const answer = await ask(tool, account);
      const [sum] = sumsOf(answer);
      expect(sum).toMatchObject({ total: 500, sumReturned: 500, gross: { positive: 1000, negative: -500 } });
      expect(answer.text).not.toContain("pct");
      expect(answer.json["note"] ?? "").not.toMatch(/\d%/);
      expect(answer.json["hasMore"]).toBe(false);
    },
  );

  test("cut below what comes before the credit, no share exceeds 100", async () => {
    for (const account of ["creditFirst", "creditLast"])
      for (let limit = 1; limit <= 5; limit += 1) {
        const answer = await ask("list_charges", account, { limit });
        const [sum] = sumsOf(answer);
        expect(sum?.total).toBe(500);
        const shown = ACCOUNTS[account]!.slice(0, limit).reduce((all, [, amount]) => all.plus(amount), new Decimal(0));
        expect(sum?.sumReturned).toBe(shown.toNumber());
        expect(sum?.pctOfTotalShown ?? 0).toBeLessThanOrEqual(100);
        if (shown.gt(500) || account === "creditFirst") expect(answer.text).not.toContain('"pct');
      }
  });

  test("grouped by the upstream, ordered by us, read by tag: the same", async () => {
    for (const account of ["creditFirst", "creditLast"])
      for (const tool of ["charges_by_tag", "sum_by_tag"]) {
        const answer = await ask(tool, account);
        expect(answer.json.data).toMatchObject([
          { tag: "db", amount: 450, currency: "USD" },
          { tag: "web", amount: 50, currency: "USD" },
        ]);
        expect(sumsOf(answer)[0]).toMatchObject({ total: 500, currency: "USD" });
      }
  });
});

describe("a credit on a later page of the upstream", () => {
  test.each(["list_charges", "list_plain", "list_unitless"])("changes no total of %s", async (tool) => {
    const totals = [];
    for (const account of ["creditFirst", "creditLast"]) {
      let token: unknown;
      do {
        const answer = await ask(tool, account, { limit: 2, ...(token === undefined ? {} : { pageToken: token }) });
        totals.push(sumsOf(answer)[0]?.total ?? summaryOf(answer).totalWithheld?.code);
        token = answer.json["nextPageToken"];
      } while (token !== undefined);
    }
    expect(totals).toHaveLength(6);
    // Beside the rows of one page nobody says that the others are of the same currency.
    expect(new Set(totals)).toStrictEqual(new Set([tool === "list_plain" ? "MIXED_CURRENCY" : 500]));
  });

  test("the next page tells the same total, and nothing of an other", async () => {
    const first = await ask("list_charges", "positive", { limit: 2 });
    expect(restsOf(first)).toHaveLength(1);
    const second = await ask("list_charges", "positive", { limit: 2, pageToken: first.json["nextPageToken"] });
    expect(restsOf(second)).toHaveLength(0);
    expect(sumsOf(second)[0]?.total).toBe(sumsOf(first)[0]?.total);
  });
});

describe("an untagged group with a credit", () => {
  test.each([
    ["untagged", 500],
    ["decoy", 500],
  ])("of %s is a row like the others, and is never taken for the total", async (account, total) => {
    for (const tool of ["charges_by_tag", "sum_by_tag"]) {
      const answer = await ask(tool, account);
      expect(sumsOf(answer)[0]).toMatchObject({ total, sumReturned: total });
      const none = answer.json.data?.filter((row) => row["tag"] === null) ?? [];
      expect(none).toHaveLength(1);
      expect(answer.json.data).toHaveLength(3);
    }
  });

  test("alone on the page, it is not the total either", async () => {
    const answer = await ask("charges_by_tag", "decoy", { limit: 1 });
    expect(answer.json.data).toStrictEqual([{ tag: null, amount: 500, currency: "USD" }]);
    expect(sumsOf(answer)[0]?.total).toBe(500);
    expect(answer.text).not.toContain('"pct');
  });
});

describe("two currencies", () => {
  test.each(["currencies", "lateCurrency"])("of %s give one total each", async (account) => {
    for (const tool of ["list_charges", "charges_by_tag", "sum_by_tag"])
      for (const limit of [1, 2, 3, 50]) {
        const answer = await ask(tool, account, { limit });
        const told = new Map(sumsOf(answer).map((sum) => [sum.currency as unknown, sum.total]));
        expect(told).toStrictEqual(await sumsByCurrency(account));
        expect(summaryOf(answer).total).toBeUndefined();
      }
  });

  test("a group never adds two currencies up", async () => {
    const { json } = await ask("sum_by_tag", "currencies");
    const sql = await books.database.rows(
      "SELECT tag, currency, sum(amount)::DOUBLE AS amount, count(*)::INTEGER AS charges FROM charges WHERE account = 'currencies' GROUP BY 1, 2",
    );
    const keyed = (rows: readonly Record<string, unknown>[]) =>
      rows.map((row) => [row["tag"], row["currency"], row["amount"], row["charges"]].join(" ")).toSorted();
    expect(keyed(json.data ?? [])).toStrictEqual(keyed(sql));
  });

  test.each([
    ["currencies", 50],
    ["currencies", 1],
    ["lateCurrency", 50],
    ["lateCurrency", 2],
    ["halfKnown", 50],
  ])("of %s at limit %i, which the upstream adds up, are withheld with MIXED_CURRENCY", async (account, limit) => {
    const answer = await ask("list_plain", account, { limit });
    expect(sumsOf(answer)).toStrictEqual([]);
    expect(restsOf(answer)).toStrictEqual([]);
    expect(summaryOf(answer).totalWithheld).toMatchObject({
      code: "MIXED_CURRENCY",
      reason: expect.stringMatching(/\.$/),
    });
    expect(summaryOf(answer)).not.toHaveProperty("pctOfTotalShown");
  });
});

describe("a total is told only where it is one", () => {
  test("one currency throughout, all rows shown: the upstream's number is that currency's", async () => {
    const answer = await ask("list_plain", "positive");
    expect(summaryOf(answer)).toMatchObject({ total: 1000.3, currency: "USD", pctOfTotalShown: 100 });
    expect(restsOf(answer)).toStrictEqual([]);
  });

  test("a walk that ends gives the sum of every row, a longer one PARTIAL_PAGES", async () => {
    expect(sumsOf(await ask("list_walked", "positive", { limit: 2 }))[0]).toMatchObject({ total: 1000.3 });
    const answer = await ask("list_walked", "many", { limit: 2 });
    expect(sumsOf(answer)).toStrictEqual([]);
    expect(summaryOf(answer).totalWithheld?.code).toBe("PARTIAL_PAGES");
  });

  test("a group is refused where pages are left, with how to narrow", async () => {
    const { json } = await session.call("sum_by_tag", { account: "many" });
    expect(json).toMatchObject({ error: "response_too_large", recover: expect.stringMatching(/narrow/i) });
  });

  test.each([
    ["broken", "PART_FAILED"],
    ["garbled", "BAD_ROWS"],
  ])("of %s the rows are shown, and the total is withheld with %s", async (account, code) => {
    for (const tool of ["list_charges", "list_plain"]) {
      const answer = await ask(tool, account);
      expect(answer.json).toMatchObject({ rowCount: 1, hasMore: false });
      expect(summaryOf(answer).totalWithheld).toMatchObject({ code, reason: expect.stringMatching(/\.$/) });
      expect(sumsOf(answer)).toStrictEqual([]);
    }
  });

  test("a count that the upstream calls inexact is a bound", async () => {
    expect(summaryOf(await ask("list_counted", "positive", { limit: 2 }))).toMatchObject({ total: 5, measure: "rows" });
    const many = summaryOf(await ask("list_counted", "many", { limit: 2 }));
    expect(many).toMatchObject({ atLeast: 20, totalWithheld: { code: "TOTAL_IS_BOUND" } });
    expect(many.total).toBeUndefined();
  });

  test.each(["zero", "owed"])("of %s no share is told and no other", async (account) => {
    for (const limit of [1, 50]) {
      const answer = await ask("list_charges", account, { limit });
      expect(sumsOf(answer)[0]?.total).toBe([...(await sumsByCurrency(account)).values()][0]);
      expect(restsOf(answer)).toStrictEqual([]);
      expect(answer.text).not.toContain('"pct');
    }
  });

  test("an account without charges has no rows, and says so", async () => {
    const answer = await ask("list_charges", "none");
    expect(answer.json).toMatchObject({ rowCount: 0, hasMore: false, note: expect.any(String) });
  });

  test("thirds that are rounded each still close with the total", async () => {
    for (let limit = 1; limit <= 5; limit += 1) {
      const answer = await ask("list_charges", "positive", { limit });
      expect(sumsOf(answer)[0]?.total).toBe(1000.3);
      expect(restsOf(answer)).toHaveLength(limit < 5 ? 1 : 0);
    }
  });

  test("the aggregate is asked once a reply, whatever the page", async () => {
    books.forget();
    await ask("list_charges", "many", { limit: 2 });
    expect(books.asked.filter(({ path }) => path.endsWith("/sums"))).toHaveLength(1);
    expect(books.asked.filter(({ path }) => path.endsWith("/charges"))).toHaveLength(1);
  });
});
