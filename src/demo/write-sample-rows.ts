const MONEY = ["BilledCost", "ContractedCost", "EffectiveCost", "ListCost"] as const;
const QUANTITIES = ["ConsumedQuantity", "PricingQuantity"] as const;
const PRICES = ["ContractedUnitPrice", "ListUnitPrice"] as const;
const TEXTS = [
  "AvailabilityZone",
  "BillingAccountId",
  "BillingAccountName",
  "BillingCurrency",
  "ChargeCategory",
  "ChargeClass",
  "ChargeDescription",
  "ChargeFrequency",
  "CommitmentDiscountCategory",
  "CommitmentDiscountId",
  "CommitmentDiscountName",
  "CommitmentDiscountStatus",
  "CommitmentDiscountType",
  "ConsumedUnit",
  "InvoiceIssuerName",
  "PricingCategory",
  "PricingUnit",
  "ProviderName",
  "PublisherName",
  "ResourceId",
  "ResourceName",
  "ResourceType",
  "ServiceCategory",
  "ServiceName",
  "SkuId",
  "SkuPriceId",
  "SubAccountId",
  "SubAccountName",
] as const;
const DATES = ["BillingPeriodStart", "BillingPeriodEnd", "ChargePeriodStart", "ChargePeriodEnd"] as const;

/**
 * The 1,000 licensed rows, moved by whole months so that their September is the last complete month; $1 the file, $2 that month.
 * Their traps stay: `Usage-Based` beside `Usage-based`, empty text beside no value (Oracle), the text NULL for no value in RegionId
 * and RegionName, old names of service categories, a column Id that FOCUS does not have, tag keys that differ by a blank.
 */
export const SAMPLE = `
CREATE TABLE sample AS
SELECT 'acme' AS TenantId,
  ${[...MONEY, ...QUANTITIES, ...PRICES].map((name) => `TRY_CAST("${name}" AS DECIMAL(28,12)) AS "${name}"`).join(", ")},
  ${TEXTS.map((name) => `nullif("${name}", 'NULL') AS "${name}"`).join(", ")},
  ${DATES.map((name) => `"${name}"::TIMESTAMP + to_months(moved) AS "${name}"`).join(", ")},
  RegionId, RegionName, from_json(nullif(Tags, 'NULL'), '"MAP(VARCHAR, VARCHAR)"') AS TagMap,
  map {'Ledger/LoadedFrom': 'sample', 'Ledger/SourceRowId': Id} AS Details
FROM (
  SELECT *, date_diff('month', DATE '2024-09-01', $2::DATE)::INTEGER AS moved
  FROM read_csv($1, header = true, all_varchar = true, nullstr = '\\N', quote = '"', escape = '"', delim = ',')
)`;

export const SAMPLE_AS_IT_IS = "INSERT INTO others BY NAME SELECT * FROM sample";

/** Sixty of the sample's AWS resources go on every day, at many times their size: the long tail of a real bill. */
export const SAMPLE_GOES_ON = `
INSERT INTO resources BY NAME
SELECT 10000 + (row_number() OVER (ORDER BY sourceRow))::INTEGER AS key, 'sample/' || sourceRow AS id, 'prod' AS stage,
  (PricingQuantity * (20 + (md5_number_lower(ResourceId) % 900)::INTEGER) * 1000000)::BIGINT AS dailyMicro,
  70 AS noise, 1000 AS step, contracted, false AS covered, 'INV-' || upper(left(md5(s.BillingAccountId), 6)) AS invoice,
  TenantId, ListUnitPrice, CAST(ListUnitPrice * contracted AS DECIMAL(28,12)) AS ContractedUnitPrice,
  ${["RegionId", "RegionName", "TagMap", ...TEXTS].map((name) => `s."${name}"`).join(", ")},
  map {'Ledger/LoadedFrom': 'generated', 'AWS/LineItemType': 'Usage', 'AWS/RegionCode': RegionId} AS Details
FROM (
  SELECT *, Details['Ledger/SourceRowId'] AS sourceRow FROM sample
  WHERE ProviderName = 'AWS' AND ResourceId IS NOT NULL AND ListUnitPrice > 0 AND PricingQuantity > 0.001
    AND CommitmentDiscountId IS NULL AND RegionId <> 'NULL'
  ORDER BY md5(sourceRow), sourceRow LIMIT 60
) s JOIN accounts a ON a.tenant = s.TenantId AND a.provider = s.ProviderName`;
