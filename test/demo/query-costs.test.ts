import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningLedger, startLedger } from "../../src/demo/start-ledger.ts";
import { type Client, connect, KEY, NOW, numberOf, OCTOBER, YEAR } from "./ledger-client.ts";

let ledger: RunningLedger;
let client: Client;
beforeAll(async () => {
  ledger = await startLedger({ key: KEY, now: NOW });
  client = connect(ledger);
});
afterAll(() => ledger.close());

const IN_OCTOBER = "ChargePeriodStart >= '2026-10-01' AND ChargePeriodStart < '2026-11-01'";
const query = async (body: Record<string, unknown>) => (await client.post("/v1/costs/query", body)).body;

test("a query without groups or buckets is the total, and agrees with SQL and with the aggregate", async () => {
  const want = await numberOf(
    ledger,
    `SELECT sum(BilledCost)::VARCHAR FROM charges WHERE TenantId = 'acme' AND ${IN_OCTOBER}`,
  );
  const { rows } = await query({ tenantID: "acme", range: OCTOBER });
  const aggregate = await client.post("/v1/costs/aggregate", { tenantID: "acme", range: OCTOBER });
  expect(rows).toEqual([{ cost: want, currency: "USD" }]);
  expect(aggregate.body.totals).toEqual([{ cost: want, currency: "USD", rowCount: aggregate.body.rowCount }]);
  expect(aggregate.body.rowCount).toBe(
    await numberOf(ledger, `SELECT count(*) FROM charges WHERE TenantId = 'acme' AND ${IN_OCTOBER}`),
  );
});

test("the range is half open and reads offsets", async () => {
  const day = { from: "2026-10-05T02:00:00+02:00", to: "2026-10-06T00:00:00Z" };
  const want = await numberOf(
    ledger,
    "SELECT sum(BilledCost)::VARCHAR FROM charges WHERE TenantId = 'initech' AND ChargePeriodStart = '2026-10-05'",
  );
  expect((await query({ tenantID: "initech", range: day })).rows[0].cost).toBe(want);
});

test("every metric is summed by its own column", async () => {
  for (const metric of ["BilledCost", "EffectiveCost", "ContractedCost", "ListCost"]) {
    const want = await numberOf(
      ledger,
      `SELECT sum(${metric})::VARCHAR FROM charges WHERE TenantId = 'acme' AND ${IN_OCTOBER}`,
    );
    expect((await query({ tenantID: "acme", range: OCTOBER, metric })).rows[0].cost).toBe(want);
  }
});

test("groups sum as SQL does, and a row without the tag lacks the key", async () => {
  const rows = await client.allRows({ tenantID: "acme", range: OCTOBER, groupBy: ["Tags/team", "FOCUS/ServiceName"] });
  const want =
    await ledger.query(`SELECT TagMap['team'] AS team, ServiceName AS service, sum(BilledCost)::VARCHAR AS cost
    FROM charges WHERE TenantId = 'acme' AND ${IN_OCTOBER} GROUP BY ALL`);
  const byGroup = new Map(want.map((row) => [`${row.team}/${row.service}`, Number(row.cost)]));
  expect(rows).toHaveLength(want.length);
  for (const row of rows) expect(row.cost).toBe(byGroup.get(`${row["Tags/team"] ?? null}/${row["FOCUS/ServiceName"]}`));
  const untagged = rows.filter((row) => !Object.hasOwn(row, "Tags/team"));
  expect(untagged.length).toBeGreaterThan(10);
  expect(rows.some((row) => Object.values(row).includes(null))).toBe(false);
});

test("walking the pages gives each row once, in the order of one large page, and that order ranks nothing", async () => {
  const ask = { tenantID: "acme", range: YEAR, groupBy: ["FOCUS/ServiceName", "FOCUS/RegionId"], bucket: "month" };
  const walked = await client.allRows({ ...ask, pageSize: 97 });
  const large = await client.allRows({ ...ask, pageSize: 1000 });
  expect(walked.length).toBeGreaterThan(3 * 97);
  expect(walked).toEqual(large);
  expect(
    new Set(walked.map((row) => JSON.stringify([row["FOCUS/ServiceName"], row["FOCUS/RegionId"], row.bucket]))).size,
  ).toBe(walked.length);
  const costs = large.slice(0, 100).map((row) => row.cost);
  expect(costs).not.toEqual([...costs].sort((a, b) => b - a));
  const buckets = large.slice(0, 100).map((row) => row.bucket);
  expect(buckets).not.toEqual([...buckets].sort());
});

test("buckets are the first days of months, or days", async () => {
  const months = await client.allRows({ tenantID: "acme", range: YEAR, bucket: "month" });
  expect(months.map((row) => row.bucket).sort()).toEqual(
    [
      "2025-11",
      "2025-12",
      "2026-01",
      "2026-02",
      "2026-03",
      "2026-04",
      "2026-05",
      "2026-06",
      "2026-07",
      "2026-08",
      "2026-09",
      "2026-10",
      "2026-11",
    ].map((month) => `${month}-01`),
  );
  expect(await client.allRows({ tenantID: "acme", range: OCTOBER, bucket: "day" })).toHaveLength(31);
});

test("a tenant with two currencies has a row for each, and nothing is added across", async () => {
  const rows = await client.allRows({ tenantID: "globex", range: OCTOBER });
  expect(rows.map((row) => row.currency).sort()).toEqual(["EUR", "USD"]);
});

test("credits are negative", async () => {
  const rows = await client.allRows({ tenantID: "acme", range: OCTOBER, groupBy: ["FOCUS/ChargeCategory"] });
  expect(rows.find((row) => row["FOCUS/ChargeCategory"] === "Credit").cost).toBeLessThan(-700);
});

test("a tenant without billing data gets no rows and no totals", async () => {
  expect(await client.allRows({ tenantID: "hooli", range: YEAR, groupBy: ["FOCUS/ServiceName"] })).toEqual([]);
  expect((await client.post("/v1/costs/aggregate", { tenantID: "hooli", range: YEAR })).body).toMatchObject({
    totals: [],
    rowCount: 0,
  });
});

describe("a filter selects what the same condition in SQL selects", () => {
  const team = "TagMap['team']";
  const cases: readonly (readonly [filter: unknown, where: string])[] = [
    [{ field: "Tags/team", op: "EQUALS", value: "search" }, `${team} = 'search'`],
    [{ field: "Tags/team", op: "NOT_EQUALS", value: "search" }, `${team} <> 'search'`],
    [{ field: "Tags/team", op: "IN", values: ["search", "mobile"] }, `${team} IN ('search', 'mobile')`],
    [{ field: "Tags/team", op: "NOT_IN", values: ["search", "mobile"] }, `${team} NOT IN ('search', 'mobile')`],
    [{ field: "FOCUS/ServiceName", op: "CONTAINS", value: "MACHINE" }, "ServiceName ILIKE '%machine%'"],
    [{ field: "FOCUS/ServiceName", op: "CONTAINS", value: "%" }, "ServiceName LIKE '%!%%' ESCAPE '!'"],
    [{ field: "Tags/team", op: "IS_EMPTY" }, `${team} IS NULL`],
    [{ field: "Tags/team", op: "IS_NOT_EMPTY" }, `${team} IS NOT NULL`],
    [{ field: "FOCUS/PricingCategory", op: "IS_EMPTY" }, "PricingCategory IS NULL OR PricingCategory = ''"],
    [{ field: "FOCUS/Tags", op: "IS_EMPTY" }, "TagMap IS NULL"],
    [{ field: "FOCUS/BilledCost", op: "GREATER_THAN", value: 12.5 }, "BilledCost > 12.5"],
    [{ field: "FOCUS/BilledCost", op: "LESS_THAN", value: "-0.000000000001" }, "BilledCost < -0.000000000001"],
    [{ field: "FOCUS/BilledCost", op: "LESS_THAN_OR_EQUAL", value: 1e-7 }, "BilledCost <= 0.0000001"],
    [
      { field: "FOCUS/ChargePeriodStart", op: "GREATER_THAN_OR_EQUAL", value: "2026-10-20" },
      "ChargePeriodStart >= '2026-10-20'",
    ],
    [
      {
        and: [
          { field: "FOCUS/ProviderName", op: "EQUALS", value: "Microsoft" },
          {
            or: [
              { field: "Tags/team", op: "EQUALS", value: "search" },
              { field: "Tags/team", op: "IS_EMPTY" },
            ],
          },
        ],
      },
      `ProviderName = 'Microsoft' AND (${team} = 'search' OR ${team} IS NULL)`,
    ],
    [
      {
        or: [
          { field: "FOCUS/ProviderName", op: "EQUALS", value: "Oracle" },
          {
            and: [
              { field: "FOCUS/ProviderName", op: "EQUALS", value: "AWS" },
              { field: "Azure/ResourceGroup", op: "IS_EMPTY" },
            ],
          },
        ],
      },
      "ProviderName IN ('Oracle', 'AWS')",
    ],
    [{ field: "Tags/team", op: "EQUALS", value: "x' OR 1 = 1 --" }, "false"],
    [{ field: "Tags/team", op: "EQUALS", value: "\u0000\ud800" }, "false"],
  ];
  test.each(cases)("%j", async (filter, where) => {
    const { status, body } = await client.post("/v1/costs/aggregate", { tenantID: "acme", range: OCTOBER, filter });
    expect(status).toBe(200);
    expect(body.rowCount).toBe(
      await numberOf(ledger, `SELECT count(*) FROM charges WHERE TenantId = 'acme' AND ${IN_OCTOBER} AND (${where})`),
    );
  });

  test("NOT_EQUALS drops charges without a value", async () => {
    const count = async (filter: unknown) =>
      (await client.post("/v1/costs/aggregate", { tenantID: "acme", range: OCTOBER, filter })).body.rowCount;
    const all = (await client.post("/v1/costs/aggregate", { tenantID: "acme", range: OCTOBER })).body.rowCount;
    const field = "Tags/team";
    const parts = [
      await count({ field, op: "EQUALS", value: "search" }),
      await count({ field, op: "NOT_EQUALS", value: "search" }),
      await count({ field, op: "IS_EMPTY" }),
    ];
    expect(Math.min(...parts)).toBeGreaterThan(0);
    expect(parts.reduce((sum, part) => sum + part)).toBe(all);
  });
});

test("four questions find why the Azure bill rose", async () => {
  const microsoft = { field: "FOCUS/ProviderName", op: "EQUALS", value: "Microsoft" };
  const service = { field: "FOCUS/ServiceName", op: "EQUALS", value: "Azure Machine Learning" };
  const range = { from: "2026-09-01T00:00:00Z", to: "2026-11-01T00:00:00Z" };
  const rows = await client.allRows({
    tenantID: "acme",
    range,
    groupBy: ["Tags/team", "FOCUS/RegionId"],
    bucket: "month",
    filter: { and: [microsoft, service] },
  });
  const costs = new Map(rows.map((row) => [`${row["Tags/team"]}/${row["FOCUS/RegionId"]}/${row.bucket}`, row.cost]));
  const before = costs.get("forecasting/westeurope/2026-09-01");
  expect(costs.get("forecasting/westeurope/2026-10-01")).toBeGreaterThan(6 * before);
});
