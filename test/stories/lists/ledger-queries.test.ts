import { Decimal } from "decimal.js";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningLedger, startLedger } from "../../../src/demo/start-ledger.ts";
import { type Answer, openSession, type Session } from "../../setup/clients.ts";
import { expectToClose, openSchemas, restsOf, summaryOf, sumsOf } from "./laws.ts";
import {
  type CostQuestion,
  catalogue,
  deniesContains,
  keyOf,
  questions,
  type TrueGroup,
  trueGroups,
  trueTotals,
} from "./ledger-sql.ts";

// What the demo answers, against SQL on the same charges.

const BUDGET = 24_000;
const MOST_GROUPS = 10_000;
let ledger: RunningLedger;
let session: Session;
let expectSchema: Awaited<ReturnType<typeof openSchemas>>;

beforeAll(async () => {
  ledger = await startLedger({ key: "canary-ledger-key", now: new Date("2026-11-29T12:00:00Z") });
  session = await openSession(["curation/ledger.yaml"], { LEDGER_URL: ledger.url, LEDGER_KEY: "canary-ledger-key" });
  expectSchema = await openSchemas(session);
});
afterAll(async () => {
  await session?.close();
  await ledger?.close();
});

const ask = (question: CostQuestion) => session.call("ledger_run_cost_query", { ...question });
const rounded = (text: Decimal.Value) => new Decimal(text).toDecimalPlaces(2, Decimal.ROUND_HALF_UP).toNumber() + 0;
const addUp = (costs: readonly string[]) => costs.reduce((sum, cost) => sum.plus(cost), new Decimal(0));

/** In the order that the curation promises; equal costs may stand in any order. */
const inOrder = (groups: readonly TrueGroup[]) =>
  groups.toSorted(
    (a, b) => (a.bucket ?? "").localeCompare(b.bucket ?? "") || new Decimal(b.cost).comparedTo(new Decimal(a.cost)),
  );

function expectRows({ json }: Answer, question: CostQuestion, groups: readonly TrueGroup[]): void {
  const rows = json.data ?? [];
  const columns = [...question.dimensions, "bucket", "cost", "currency"];
  const byKey = new Map(groups.map((group) => [group.key, group]));
  for (const row of rows) {
    expect(Object.keys(row)).toStrictEqual(columns);
    const key = keyOf([...question.dimensions, "bucket", "currency"].map((name) => row[name]));
    const group = byKey.get(key);
    expect([key, row["cost"]]).toStrictEqual([key, rounded(group?.cost ?? Number.NaN)]);
    byKey.delete(key);
  }
  expect(rows.map((row) => row["cost"])).toStrictEqual(
    inOrder(groups)
      .slice(0, rows.length)
      .map(({ cost }) => rounded(cost)),
  );
}

async function expectNumbers(answer: Answer, question: CostQuestion, groups: readonly TrueGroup[]): Promise<void> {
  const totals = await trueTotals(ledger, question);
  const told = sumsOf(answer);
  expect(summaryOf(answer).totalWithheld).toBeUndefined();
  if (groups.length > 0)
    expect(new Map(told.map((sum) => [sum.currency, sum.total]))).toStrictEqual(
      new Map([...totals].map(([currency, total]) => [currency, rounded(total)])),
    );
  const shown = inOrder(groups).slice(0, answer.json.data?.length ?? 0);
  for (const sum of told) {
    const ofUnit = <T extends { currency: string }>(all: readonly T[]) =>
      all.filter((one) => one.currency === sum.currency);
    const costs = ofUnit(groups).map(({ cost }) => cost);
    const signs = new Set(costs.map((cost) => Math.sign(Number(cost))).filter((sign) => sign !== 0));
    if (signs.size > 1) {
      expect(sum).not.toHaveProperty("pctOfTotalShown");
      expect(sum.gross).toStrictEqual({
        positive: rounded(addUp(costs.filter((cost) => Number(cost) > 0))),
        negative: rounded(addUp(costs.filter((cost) => Number(cost) < 0))),
      });
      continue;
    }
    const total = new Decimal(totals.get(sum.currency ?? "") ?? 0);
    if (total.lte(0)) {
      expect(sum).not.toHaveProperty("pctOfTotalShown");
      continue;
    }
    const visible = addUp(ofUnit(shown).map(({ cost }) => cost));
    expect(Math.abs(sum.pctOfTotalShown! - visible.div(total).times(100).toNumber())).toBeLessThan(0.0100001);
  }
}

test("500 random queries close, describe the rows that are shown, and agree with SQL", async () => {
  let [cut, mixed, several, refused] = [0, 0, 0, 0];
  const law = fc.asyncProperty(questions, async (question) => {
    const [groups, answer] = await Promise.all([trueGroups(ledger, question), ask(question)]);
    if (groups.length > MOST_GROUPS) {
      expect(answer.json).toMatchObject({ error: "response_too_large", recover: expect.any(String) });
      return;
    }
    if (answer.json.error === "filter_not_expressible" && deniesContains(question.filter)) {
      refused += 1;
      return;
    }
    expectToClose(answer, { measure: "cost", unit: "currency", round: 2 });
    expectSchema("ledger_run_cost_query", answer);
    expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(BUDGET);
    expectRows(answer, question, groups);
    await expectNumbers(answer, question, groups);
    const rows = answer.json.data?.length ?? 0;
    expect(answer.json["hasMore"]).toBe(rows < groups.length);
    expect(rows).toBeLessThanOrEqual(question.limit ?? 20);
    if (groups.length === 0) expect(answer.json["note"]).toMatch(/hasBillingData/);
    if (rows < Math.min(question.limit ?? 20, groups.length)) cut += 1;
    if (sumsOf(answer).some(({ gross }) => gross !== undefined)) mixed += 1;
    if (sumsOf(answer).length > 1) several += 1;
  });
  await fc.assert(law, { numRuns: 500, endOnFailure: true });
  expect(refused).toBeLessThan(60);
  // The law was held where it is hard to hold.
  for (const [what, count] of Object.entries({ cut, mixed, several }))
    expect([what, count > 0]).toStrictEqual([what, true]);
}, 280_000);

const WIDE: CostQuestion = {
  tenantID: "acme",
  start: "2026-10-01",
  end: "2026-10-31",
  dimensions: ["FOCUS/ResourceName", "FOCUS/ResourceId", "FOCUS/ServiceName"],
  filter: { kind: "single", field: "FOCUS/BilledCost", op: "gt", value: "0" },
  limit: 1000,
};

test("where the budget cuts below the limit, shares and other are those of the rows that fit", async () => {
  const [answer, groups] = await Promise.all([ask(WIDE), trueGroups(ledger, WIDE)]);
  expectToClose(answer, { measure: "cost", unit: "currency", round: 2 });
  const rows = answer.json.data?.length ?? 0;
  expect(rows).toBeGreaterThan(50);
  expect(rows).toBeLessThan(groups.length);
  const sorted = inOrder(groups).map(({ cost }) => cost);
  const [shown, rest] = [addUp(sorted.slice(0, rows)), addUp(sorted.slice(rows))];
  const [sum] = sumsOf(answer);
  expect(sum?.sumReturned).toBe(rounded(shown));
  expect(Math.abs(restsOf(answer)[0]!.sum - rounded(rest))).toBeLessThanOrEqual(0.0100001);
  expect(Math.abs(sum!.pctOfTotalShown! - shown.div(shown.plus(rest)).times(100).toNumber())).toBeLessThan(0.0100001);
  expect(answer.json["note"]).toContain(`${sum?.pctOfTotalShown}%`);
});

test("a tag that no charge has is a column of nulls, and the total is that of all", async () => {
  const [row] = await ledger.query(
    "SELECT list(DISTINCT key) AS keys FROM (SELECT unnest(map_keys(TagMap)) AS key FROM charges WHERE TenantId = 'initech')",
  );
  const used = row?.["keys"] as string[];
  const tags = [...catalogue.values()].filter(({ provider }) => provider === "Tags");
  const unused = tags.filter(({ shortName }) => !used.includes(shortName));
  expect(unused.length).toBeGreaterThan(5);
  for (const { name: tag } of unused.slice(0, 5)) {
    const question: CostQuestion = { tenantID: "initech", start: "2026-10-01", end: "2026-10-31", dimensions: [tag] };
    const answer = await ask(question);
    const totals = await trueTotals(ledger, question);
    const cost = rounded(totals.get("USD")!);
    expect(answer.json.data).toStrictEqual([{ [tag]: null, bucket: null, cost, currency: "USD" }]);
    expect(summaryOf(answer)).toMatchObject({ total: cost, sumReturned: cost });
    const by = await ask({ ...question, dimensions: ["FOCUS/ProviderName", tag], bucket: "month" });
    expect(by.json.data?.map((one) => one[tag])).toStrictEqual([null]);
  }
});

test("a tenant without billing data is told of once, so that nobody goes on looking for fields", async () => {
  const one = await ask({ tenantID: "hooli", start: "2026-10-01", end: "2026-10-31", dimensions: ["Tags/team"] });
  expect(one.json).toMatchObject({ rowCount: 0, hasMore: false, data: [] });
  const note = String(one.json["note"]);
  expect(note).toMatch(/hasBillingData/);
  expect(note).toMatch(/stop/);
  expect(summaryOf(one)).not.toHaveProperty("pctOfTotalShown");
  expect(sumsOf(one).filter(({ total }) => total !== 0)).toStrictEqual([]);
  const { json } = await session.call("ledger_list_tenants");
  expect(json.data).toContainEqual(expect.objectContaining({ tenantID: "hooli", hasBillingData: false }));
  const values = await session.call("ledger_get_dimension_values", { tenantID: "hooli", field: "Tags/team" });
  expect(values.json).toMatchObject({
    rowCount: 0,
    hasMore: false,
    note: expect.stringMatching(/hasBillingData.*stop/),
  });
  expect(session.client.getInstructions()).toMatch(/hasBillingData/);
});
