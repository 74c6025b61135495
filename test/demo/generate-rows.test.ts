import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningLedger, startLedger } from "../../src/demo/start-ledger.ts";
import { KEY, NOW, numberOf } from "./ledger-client.ts";

let ledger: RunningLedger;
beforeAll(async () => {
  ledger = await startLedger({ key: KEY, now: NOW });
});
afterAll(() => ledger.close());

const CHECKSUM = "SELECT count(*)::INTEGER AS n, sum(hash(charges)::HUGEINT)::VARCHAR AS checksum FROM charges";

test("two ledgers of one moment hold the same rows", async () => {
  const again = await startLedger({ key: KEY, now: NOW });
  expect(await again.query(CHECKSUM)).toEqual(await ledger.query(CHECKSUM));
  await again.close();
});

test("another month moves the rows, so the checksum can tell ledgers apart", async () => {
  const other = await startLedger({ key: KEY, now: new Date("2026-10-29T12:00:00Z") });
  expect(await other.query(CHECKSUM)).not.toEqual(await ledger.query(CHECKSUM));
  await other.close();
});

test("there are about 100,000 rows over twelve complete months and the running one up to yesterday", async () => {
  const [row] =
    await ledger.query(`SELECT count(*)::INTEGER AS n, count(DISTINCT date_trunc('month', ChargePeriodStart))::INTEGER AS months,
    min(ChargePeriodStart)::VARCHAR AS first, max(ChargePeriodStart)::VARCHAR AS last FROM charges`);
  expect(row?.n).toBeGreaterThan(95_000);
  expect(row?.n).toBeLessThan(105_000);
  expect(row).toMatchObject({ months: 13, first: "2025-11-01 00:00:00", last: "2026-11-28 00:00:00" });
});

test("the thousand licensed rows are there with their sum, moved to the last complete month", async () => {
  const [row] =
    await ledger.query(`SELECT count(*)::INTEGER AS n, sum(BilledCost)::VARCHAR AS billed, min(BillingPeriodStart)::VARCHAR AS period
    FROM charges WHERE Details['Ledger/LoadedFrom'] = 'sample'`);
  expect(row).toMatchObject({ n: 1000, period: "2026-10-01 00:00:00" });
  expect(String(row?.billed)).toMatch(/^20\.5202/);
});

// Each rule of the data, as a statement that counts what breaks it or what must be there.
const NONE: readonly (readonly [title: string, where: string])[] = [
  [
    "usage never costs more effectively than by contract, nor more by contract than by list",
    "Details['Ledger/LoadedFrom'] = 'generated' AND ChargeCategory = 'Usage' AND ChargeClass IS NULL AND CommitmentDiscountStatus IS DISTINCT FROM 'Unused' AND NOT (ListCost >= ContractedCost AND ContractedCost >= EffectiveCost)",
  ],
  [
    "a credit is negative, without a resource, One-Time",
    "ChargeCategory = 'Credit' AND NOT (BilledCost < 0 AND EffectiveCost < 0 AND ResourceId IS NULL AND ChargeFrequency = 'One-Time')",
  ],
  [
    "a correction is negative and invoiced in a later period than it arose",
    "ChargeClass = 'Correction' AND NOT (BilledCost < 0 AND BillingPeriodStart > ChargePeriodStart)",
  ],
  [
    "a purchase is billed and has no effective cost",
    "ChargeCategory = 'Purchase' AND NOT (BilledCost > 0 AND EffectiveCost = 0)",
  ],
  [
    "what a commitment covers is not billed again",
    "Details['Ledger/LoadedFrom'] = 'generated' AND CommitmentDiscountStatus IN ('Used', 'Unused') AND NOT (BilledCost = 0 AND EffectiveCost > 0)",
  ],
  ["hooli has no billing data", "TenantId = 'hooli'"],
  [
    "the columns that FOCUS never leaves empty have values",
    "BilledCost IS NULL OR EffectiveCost IS NULL OR ListCost IS NULL OR BillingAccountId IS NULL OR BillingCurrency IS NULL OR ChargeCategory IS NULL OR InvoiceIssuerName IS NULL OR ProviderName IS NULL OR PublisherName IS NULL OR ServiceCategory IS NULL OR ServiceName IS NULL OR ChargePeriodEnd <= ChargePeriodStart OR BillingPeriodEnd <= BillingPeriodStart",
  ],
];
test.each(NONE)("%s", async (_title, where) => {
  expect(await numberOf(ledger, `SELECT count(*) FROM charges WHERE ${where}`)).toBe(0);
});

const SOME: readonly (readonly [title: string, where: string])[] = [
  ["credits", "ChargeCategory = 'Credit'"],
  ["corrections", "ChargeClass = 'Correction'"],
  ["purchases of commitments", "ChargeCategory = 'Purchase'"],
  ["used commitments", "CommitmentDiscountStatus = 'Used'"],
  ["unused commitments", "CommitmentDiscountStatus = 'Unused'"],
  ["taxes", "ChargeCategory = 'Tax'"],
  ["adjustments", "ChargeCategory = 'Adjustment'"],
  ["marketplace rows", "ProviderName = 'AWS' AND PublisherName = 'Snowflake Inc.'"],
  ["euros", "TenantId = 'globex' AND BillingCurrency = 'EUR'"],
  ["dollars of the same tenant", "TenantId = 'globex' AND BillingCurrency = 'USD'"],
  ["stages under env", "TagMap['env'] IS NOT NULL"],
  ["stages under environment", "TagMap['environment'] IS NOT NULL"],
  ["a tag key that begins with a blank", "TagMap[' org'] IS NOT NULL"],
  ["the text NULL in a location column", "RegionId = 'NULL'"],
  ["empty text", "PricingCategory = ''"],
  ["both spellings of usage based: the usual", "ChargeFrequency = 'Usage-Based'"],
  ["both spellings of usage based: the other", "ChargeFrequency = 'Usage-based'"],
  ["amounts with more than ten decimals", "BilledCost <> round(BilledCost, 10)"],
];
test.each(SOME)("the data holds %s", async (_title, where) => {
  expect(await numberOf(ledger, `SELECT count(*) FROM charges WHERE ${where}`)).toBeGreaterThan(0);
});

test("between 25 and 30 per cent of the charges are untagged", async () => {
  const share = await numberOf(ledger, "SELECT (count(*) FILTER (TagMap IS NULL) / count(*))::VARCHAR FROM charges");
  expect(share).toBeGreaterThan(0.25);
  expect(share).toBeLessThan(0.3);
});

test("used and unused parts of a savings plan add up to its purchase in every complete month", async () => {
  const rows = await ledger.query(`SELECT TenantId, date_trunc('month', ChargePeriodStart) AS month,
      (sum(BilledCost) - sum(EffectiveCost))::VARCHAR AS difference
    FROM charges WHERE CommitmentDiscountName = 'Compute savings plan' AND ChargePeriodStart < '2026-11-01' GROUP BY ALL`);
  expect(rows).toHaveLength(24);
  expect(rows.map((row) => Number(row.difference))).toEqual(rows.map(() => 0));
});

test("the database reads no file once the data is made", async () => {
  await expect(ledger.query("SELECT * FROM read_csv('package.json')")).rejects.toThrow(/disabled|Permission/);
});
