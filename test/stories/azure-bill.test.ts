import { afterAll, beforeAll, expect, test } from "vitest";
import { AZURE_STORY } from "../../src/demo/azure-story.ts";
import { type RunningLedger, startLedger } from "../../src/demo/start-ledger.ts";
import { openSession, type Session } from "../setup/clients.ts";

const NOW = new Date("2026-11-29T12:00:00Z");
let ledger: RunningLedger;
let session: Session;

beforeAll(async () => {
  ledger = await startLedger({ key: "canary-ledger-key", now: NOW });
  session = await openSession(["curation/ledger.yaml"], { LEDGER_URL: ledger.url, LEDGER_KEY: "canary-ledger-key" });
});

afterAll(async () => {
  await session?.close();
  await ledger?.close();
});

type Row = Record<string, string | number | null>;

/** For each value of `column`: what it cost in the later month less what it cost in the earlier one, the largest rise first. */
function rises(rows: Row[], column: string): { value: unknown; rise: number }[] {
  const months = [...new Set(rows.map((row) => String(row["bucket"])))].toSorted();
  const sums = new Map<unknown, number>();
  for (const row of rows) {
    const sign = row["bucket"] === months.at(-1) ? 1 : -1;
    sums.set(row[column], (sums.get(row[column]) ?? 0) + sign * Number(row["cost"]));
  }
  return [...sums].map(([value, rise]) => ({ value, rise })).toSorted((a, b) => b.rise - a.rise);
}

test("why the Azure bill rose last month is found in four calls", async () => {
  const tenants = await session.call("ledger_list_tenants");
  const tenantID = tenants.json.data?.find((row) => row["name"] === "Acme" || row["tenantID"] === "acme")?.["tenantID"];
  expect(tenantID).toBe(AZURE_STORY.tenant);

  const fields = await session.call("ledger_list_dimensions", { tenantID, search: "service name" });
  const service = String(fields.json.data?.[0]?.["schemaFieldName"]);
  expect(service).toBe("FOCUS/ServiceName");

  const azure = {
    tenantID,
    start: "2026-09-01",
    end: "2026-10-31",
    bucket: "month",
    filter: { kind: "single", field: "FOCUS/ProviderName", op: "eq", value: "Microsoft" },
  };
  const byService = await session.call("ledger_run_cost_query", { ...azure, dimensions: [service], limit: 100 });
  expect(byService.json["hasMore"]).toBe(false);
  const [first] = rises(byService.json.data as Row[], service);
  expect(first?.value).toBe(AZURE_STORY.service);

  const byTeam = await session.call("ledger_run_cost_query", {
    ...azure,
    dimensions: ["Tags/team", "FOCUS/RegionId"],
    limit: 200,
    filter: { kind: "single", field: service, op: "eq", value: first?.value },
  });
  const [cause, next] = rises(byTeam.json.data as Row[], "Tags/team");
  expect(cause?.value).toBe(AZURE_STORY.team);
  expect(cause!.rise).toBeGreaterThan(5000);
  expect(Math.abs(next?.rise ?? 0)).toBeLessThan(500);

  const bytes = [tenants, fields, byService, byTeam].reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  expect(bytes).toBeLessThan(12_000);
});

test("the sums that the agent sees are those of the data", async () => {
  const { json } = await session.call("ledger_run_cost_query", {
    tenantID: "acme",
    start: "2026-10-01",
    end: "2026-10-31",
    dimensions: ["FOCUS/ProviderName"],
  });
  const sums = await ledger.query(`
    SELECT ProviderName AS name, CAST(round(sum(BilledCost), 2) AS DOUBLE) AS cost FROM charges
    WHERE TenantId = 'acme' AND ChargePeriodStart >= TIMESTAMP '2026-10-01' AND ChargePeriodStart < TIMESTAMP '2026-11-01'
    GROUP BY 1 ORDER BY 2 DESC`);
  expect(json.data?.map((row) => [row["FOCUS/ProviderName"], row["cost"]])).toStrictEqual(
    (sums as { name: string; cost: number }[]).map(({ name, cost }) => [name, Number(cost)]),
  );
});

test("a search for region is a small reply, best names first", async () => {
  const { text, json } = await session.call("ledger_list_dimensions", { tenantID: "acme", search: "region" });
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2000);
  expect(json).toMatchObject({ hasMore: false });
  expect(json.data?.map((row) => row["schemaFieldName"])).toContain("FOCUS/RegionId");
});

test("the whole catalogue of 270 kB fits one reply of 38 kB, first sentences only", async () => {
  const { text, json } = await session.call("ledger_list_dimensions", { tenantID: "acme", limit: 1000 });
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(38_000);
  expect(json).toMatchObject({ rowCount: 375, hasMore: false });
  expect(json["omitted"]).toMatchObject([{ what: "text", path: "description", kept: "first sentence" }]);
});

test("a group that no row has is a column of nulls", async () => {
  const { json } = await session.call("ledger_run_cost_query", {
    tenantID: "acme",
    start: "2026-10-01",
    end: "2026-10-31",
    dimensions: ["Tags/team"],
    filter: { kind: "single", field: "FOCUS/ChargeCategory", op: "eq", value: "Credit" },
  });
  expect(json.data?.length).toBeGreaterThan(0);
  for (const row of json.data ?? []) {
    expect(Object.keys(row)).toStrictEqual(["Tags/team", "bucket", "cost", "currency"]);
    expect(row["Tags/team"]).toBeNull();
  }
});

test("a wrong field name is explained with what to do", async () => {
  const answer = await session.call("ledger_run_cost_query", { tenantID: "acme", dimensions: ["Service"] });
  expect(answer.isError).toBe(true);
  expect(answer.json).toMatchObject({
    error: "unknown_fields",
    recover: expect.stringContaining("`ledger_list_dimensions`"),
    path: "dimensions[0]",
    got: "Service",
    nearest: expect.arrayContaining(["Tags/service"]),
    retryable: false,
  });
});

test("a tenant without billing data is answered so that the agent stops looking", async () => {
  const { json } = await session.call("ledger_run_cost_query", { tenantID: "hooli" });
  expect(json).toMatchObject({ rowCount: 0, hasMore: false, note: expect.stringContaining("hasBillingData") });
});

test("the values of a field come with their spend", async () => {
  const { json } = await session.call("ledger_get_dimension_values", { tenantID: "acme", field: "FOCUS/ProviderName" });
  expect(json.data?.map((row) => row["value"])).toContain("Microsoft");
});
