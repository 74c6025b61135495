import { readFileSync } from "node:fs";
import { validate } from "@readme/openapi-parser";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DuckdbMissing, openDatabase } from "../../src/demo/open-database.ts";
import { type RunningLedger, startLedger } from "../../src/demo/start-ledger.ts";
import { type Client, connect, KEY, NOW, numberOf, spec } from "./ledger-client.ts";

let ledger: RunningLedger;
let client: Client;
beforeAll(async () => {
  ledger = await startLedger({ key: KEY, now: NOW });
  client = connect(ledger);
});
afterAll(() => ledger.close());

interface Dimension {
  readonly schemaFieldName: string;
  readonly dataType: string;
  readonly description: string;
  readonly provider: string;
  readonly sampleValues: readonly string[];
  readonly groupable: boolean;
  readonly nullable: boolean;
}
const listOf = async (tenantID: string): Promise<Dimension[]> =>
  (await client.get("/v1/dimensions", { tenantID })).body.dimensions;

test("the spec is a valid OpenAPI document with the five operations", async () => {
  expect(await validate(structuredClone(spec) as never)).toMatchObject({ valid: true });
  const operations = Object.values(spec.paths).flatMap((item) =>
    Object.values(item).map(({ operationId }) => operationId),
  );
  expect(operations).toEqual(["listTenants", "listDimensions", "listDimensionValues", "queryCosts", "aggregateCosts"]);
});

test("tenants are listed with their currencies, and the one without data says so", async () => {
  const { tenants } = (await client.get("/v1/tenants")).body;
  expect(tenants).toContainEqual({
    id: "globex",
    name: "Globex Europe",
    currencies: ["EUR", "USD"],
    hasBillingData: true,
  });
  expect(tenants).toContainEqual({ id: "hooli", name: "Hooli Labs", currencies: [], hasBillingData: false });
  for (const { id, currencies } of tenants) {
    const held = await ledger.query(
      `SELECT DISTINCT BillingCurrency AS currency FROM charges WHERE TenantId = '${id}' ORDER BY 1`,
    );
    expect(held.map((row) => row.currency)).toEqual(currencies);
  }
});

test.each(["acme", "globex", "initech", "hooli"])("the catalogue of %s is 240 to 300 kB", async (tenantID) => {
  const { body } = await client.get("/v1/dimensions", { tenantID });
  expect(Buffer.byteLength(JSON.stringify(body))).toBeGreaterThan(240_000);
  expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(300_000);
});

test("there are 375 fields with different names, some described in several kB, each with a short first sentence", async () => {
  const fields = await listOf("acme");
  expect(new Set(fields.map((field) => field.schemaFieldName)).size).toBe(375);
  expect(fields.filter((field) => field.description.length > 3_000).length).toBeGreaterThan(10);
  for (const { description } of fields) expect(description.indexOf(". ")).toBeLessThan(40);
});

test("all names, types and first sentences fit in 37 kB", async () => {
  const rows = (await listOf("acme")).map(({ schemaFieldName, dataType, description }) => ({
    schemaFieldName,
    type: dataType,
    description: description.slice(0, description.indexOf(". ") + 1),
  }));
  expect(Buffer.byteLength(JSON.stringify(rows))).toBeLessThan(37_000);
});

test("a word search for region meets a few fields and no others", async () => {
  const found = (await listOf("acme")).filter((field) => /region/i.test(JSON.stringify(field)));
  expect(found.map((field) => field.schemaFieldName)).toEqual(
    expect.arrayContaining(["FOCUS/RegionId", "FOCUS/RegionName", "Azure/ResourceLocation", "Tags/region"]),
  );
  expect(found.length).toBeLessThan(15);
});

test("sample values are the tenant's own", async () => {
  const byName = (fields: Dimension[]) => new Map(fields.map((field) => [field.schemaFieldName, field.sampleValues]));
  expect(byName(await listOf("globex")).get("FOCUS/BillingCurrency")).toEqual(["EUR", "USD"]);
  expect(byName(await listOf("initech")).get("FOCUS/ProviderName")).toEqual(["AWS"]);
  expect([...byName(await listOf("hooli")).values()].flat()).toEqual([]);
});

test("every groupable field can be grouped by, and every filterable one filtered", async () => {
  const range = { from: "2026-10-01T00:00:00Z", to: "2026-10-02T00:00:00Z" };
  for (const { schemaFieldName: field, groupable } of await listOf("globex")) {
    const groupBy = groupable ? [field] : [];
    const { status } = await client.post("/v1/costs/query", {
      tenantID: "globex",
      range,
      groupBy,
      filter: {
        or: [
          { field, op: "IS_EMPTY" },
          { field, op: "IS_NOT_EMPTY" },
        ],
      },
    });
    expect([field, status]).toEqual([field, 200]);
  }
});

test("a field that says it is never absent never is", async () => {
  for (const { schemaFieldName: field } of (await listOf("acme")).filter((one) => !one.nullable)) {
    const range = { from: "2000-01-01T00:00:00Z", to: "2100-01-01T00:00:00Z" };
    const { body } = await client.post("/v1/costs/aggregate", {
      tenantID: "acme",
      range,
      filter: { field, op: "IS_EMPTY" },
    });
    expect([field, body.rowCount]).toEqual([field, 0]);
  }
});

test("values of a field come sorted, in pages, with counts and spend that agree with SQL", async () => {
  const ask = { tenantID: "globex", field: "FOCUS/ProviderName" };
  const first = (await client.get("/v1/dimensions/values", { ...ask, limit: "1" })).body;
  const second = (await client.get("/v1/dimensions/values", { ...ask, limit: "1", pageToken: first.nextPageToken }))
    .body;
  const whole = (await client.get("/v1/dimensions/values", ask)).body;
  expect([...first.values, ...second.values]).toEqual(whole.values);
  expect(whole).not.toHaveProperty("nextPageToken");
  expect(second).not.toHaveProperty("nextPageToken");
  const cost = await numberOf(
    ledger,
    "SELECT sum(BilledCost)::VARCHAR FROM charges WHERE TenantId = 'globex' AND ProviderName = 'AWS'",
  );
  const rowCount = await numberOf(
    ledger,
    "SELECT count(*) FROM charges WHERE TenantId = 'globex' AND ProviderName = 'AWS'",
  );
  expect(whole.values[0]).toEqual({ value: "AWS", rowCount, spend: [{ currency: "USD", cost }] });
});

test("values are searched in any letter case, and a tag has no empty value", async () => {
  const { values } = (
    await client.get("/v1/dimensions/values", { tenantID: "acme", field: "Tags/team", search: "FORE" })
  ).body;
  expect(values.map((one: { value: string }) => one.value)).toEqual(["forecasting"]);
});

test("without DuckDB the error says in one line what to install", async () => {
  const opened = openDatabase(() => Promise.reject(new Error("Cannot find package")));
  const error = await opened.then(
    () => undefined,
    (thrown: DuckdbMissing) => thrown,
  );
  expect(error).toMatchObject({
    code: "DUCKDB_MISSING",
    message: expect.stringMatching(/^[^\n]*npm install @duckdb\/node-api[^\n]*$/),
  });
});

test("the licence's attribution stands beside the data", () => {
  expect(readFileSync("src/demo/data/README.md", "utf8")).toContain(
    "FOCUS Sample Data, (c) FinOps Foundation / JDF FOCUS Series contributors, CC BY 4.0, changed",
  );
});
