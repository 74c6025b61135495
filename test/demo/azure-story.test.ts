import { expect, test } from "vitest";
import { AZURE_STORY } from "../../src/demo/azure-story.ts";
import { type RunningLedger, startLedger } from "../../src/demo/start-ledger.ts";
import { KEY } from "./ledger-client.ts";

/** Rise of acme's Microsoft bill from one month to the next by the values of one column, the largest first. */
async function rises(ledger: RunningLedger, column: string, months: readonly [string, string, string]) {
  const [before, last, end] = months;
  const rows = await ledger.query(`
    SELECT ${column} AS value,
      (sum(CASE WHEN ChargePeriodStart >= '${last}' THEN BilledCost ELSE -BilledCost END))::VARCHAR AS rise,
      (sum(CASE WHEN ChargePeriodStart < '${last}' THEN BilledCost ELSE 0 END))::VARCHAR AS before
    FROM charges
    WHERE TenantId = '${AZURE_STORY.tenant}' AND ProviderName = '${AZURE_STORY.provider}' AND ChargePeriodStart >= '${before}' AND ChargePeriodStart < '${end}'
    GROUP BY ALL`);
  return rows
    .map((row) => ({ value: row.value, rise: Number(row.rise), before: Number(row.before) }))
    .sort((a, b) => b.rise - a.rise);
}

// March is the hard one: February is so short that everything else falls.
const CASES = [
  { now: "2026-11-29T12:00:00Z", months: ["2026-09-01", "2026-10-01", "2026-11-01"] },
  { now: "2027-03-01T00:00:00Z", months: ["2027-01-01", "2027-02-01", "2027-03-01"] },
  { now: "2028-01-15T08:30:00Z", months: ["2027-11-01", "2027-12-01", "2028-01-01"] },
] as const;

test.each(CASES)(
  "seen from $now, the Azure bill rose last month and each grouping shows the one cause",
  async ({ now, months }) => {
    const ledger = await startLedger({ key: KEY, now: new Date(now) });
    const [total] = await rises(ledger, "'all'", months);
    expect((total?.rise ?? 0) / (total?.before ?? 1)).toBeGreaterThan(0.3);

    const groupings = [
      ["ServiceName", AZURE_STORY.service],
      ["TagMap['team']", AZURE_STORY.team],
      ["RegionId", AZURE_STORY.region[0]],
      ["Details['Azure/ResourceGroup']", AZURE_STORY.resourceGroup],
      ["ResourceName", AZURE_STORY.resourceName],
    ] as const;
    for (const [column, cause] of groupings) {
      const [first, second] = await rises(ledger, column, months);
      expect(first?.value).toBe(cause);
      expect(first?.rise).toBeGreaterThan(10 * Math.max(0, second?.rise ?? 0));
      expect(first?.rise).toBeGreaterThan(0.8 * (total?.rise ?? 0));
    }
    await ledger.close();
  },
);
