import { COMPLETE_MONTHS } from "./calendar.ts";

/** Columns that steer the generator and are no part of a charge. */
const STEERING = "key, id, stage, dailyMicro, noise, step, contracted, covered, invoice";

/**
 * The table `resources` from the planned ones ($1, JSON): everything about their charges that does not change from day to day.
 * It is kept apart from the 100,000 daily amounts, and joined by the view `charges`, because copying it would take most of the start.
 */
export const RESOURCES = `
CREATE TABLE resources AS
WITH planned AS (SELECT unnest(from_json($1::JSON, '[{
  "key": "INTEGER", "id": "VARCHAR", "tenant": "VARCHAR", "provider": "VARCHAR", "publisher": "VARCHAR", "service": "VARCHAR", "category": "VARCHAR",
  "subcategory": "VARCHAR", "meter": "VARCHAR", "unit": "VARCHAR", "price": "DECIMAL(28,12)", "resourceType": "VARCHAR",
  "regionId": "VARCHAR", "regionName": "VARCHAR", "stage": "VARCHAR", "subAccountId": "VARCHAR", "subAccountName": "VARCHAR",
  "resourceName": "VARCHAR", "dailyMicro": "BIGINT", "noise": "BIGINT", "step": "BIGINT", "commitmentId": "VARCHAR",
  "tags": "MAP(VARCHAR, VARCHAR)", "details": "MAP(VARCHAR, VARCHAR)"}]'), recursive := true))
SELECT key, id, stage, dailyMicro, noise, step, contracted, commitmentId IS NOT NULL AS covered, tenant AS TenantId,
  price AS ListUnitPrice, CAST(price * contracted AS DECIMAL(28,12)) AS ContractedUnitPrice, unit AS PricingUnit, unit AS ConsumedUnit,
  billingAccountId AS BillingAccountId, billingAccountName AS BillingAccountName, 'Billing account' AS BillingAccountType,
  currency AS BillingCurrency, currency AS PricingCurrency, 'Usage' AS ChargeCategory, 'Usage-Based' AS ChargeFrequency,
  meter || ' in ' || regionName || ', ' || rtrim(price::VARCHAR, '0') || ' ' || currency || ' per ' || unit AS ChargeDescription,
  CASE WHEN covered THEN 'Committed' ELSE 'Standard' END AS PricingCategory, commitmentId AS CommitmentDiscountId,
  CASE WHEN covered THEN 'Compute savings plan' END AS CommitmentDiscountName, CASE WHEN covered THEN 'Spend' END AS CommitmentDiscountCategory,
  CASE WHEN covered THEN 'Savings Plan' END AS CommitmentDiscountType, CASE WHEN covered THEN 'Used' END AS CommitmentDiscountStatus,
  provider AS ProviderName, publisher AS PublisherName, issuer AS InvoiceIssuerName, regionId AS RegionId, regionName AS RegionName,
  'ledger:' || id || '/' || resourceName AS ResourceId, resourceName AS ResourceName, nullif(resourceType, 'NULL') AS ResourceType,
  category AS ServiceCategory, service AS ServiceName, subcategory AS ServiceSubcategory, upper(left(md5(provider || meter), 12)) AS SkuId,
  meter AS SkuMeter, SkuId || '.' || currency AS SkuPriceId, '{"Unit":"' || unit || '"}' AS SkuPriceDetails,
  subAccountId AS SubAccountId, subAccountName AS SubAccountName,
  CASE provider WHEN 'AWS' THEN 'Account' WHEN 'Microsoft' THEN 'Subscription' WHEN 'Oracle' THEN 'Tenancy' ELSE 'Project' END AS SubAccountType,
  NULL::VARCHAR AS AvailabilityZone, NULL::VARCHAR AS ChargeClass,
  'INV-' || upper(left(md5(billingAccountId), 6)) AS invoice, tags AS TagMap, details AS Details
FROM planned JOIN accounts USING (tenant, provider)`;

/**
 * The table `amounts`: one row per resource and day. The quantity is an integer number of millionths times four factors in
 * thousandths: growth by month, quiet weekends outside production, noise, and the step of the story.
 * ListCost >= ContractedCost >= EffectiveCost, and what a savings plan covers is billed by its purchase and not here (FOCUS 1.2).
 */
export const AMOUNTS = `
CREATE TABLE amounts AS
WITH quantities AS (
  SELECT r.key, r.ListUnitPrice, r.contracted, r.covered, r.invoice, d.day, d.month, d.billed,
    r.dailyMicro * (1000 + 3 * d.monthIndex) // 1000
      * (CASE WHEN d.weekend AND r.stage <> 'prod' THEN 550 ELSE 1000 END) // 1000
      * (1000 - r.noise + (md5_number_lower(r.id || d.name) % (2 * r.noise + 1)::UBIGINT)::BIGINT) // 1000
      * (CASE WHEN d.monthIndex >= ${COMPLETE_MONTHS - 1} THEN r.step ELSE 1000 END) // 1000 AS micro
  FROM resources r CROSS JOIN days d
), costed AS (
  SELECT *, CAST(micro::DECIMAL(19,0) * 0.000001 AS DECIMAL(20,6)) AS quantity,
    CAST(quantity * ListUnitPrice::DECIMAL(18,12) AS DECIMAL(28,12)) AS list, CAST(list * contracted AS DECIMAL(28,12)) AS agreed
  FROM quantities
)
SELECT key, CASE WHEN covered THEN 0 ELSE agreed END AS BilledCost,
  CASE WHEN covered THEN CAST(agreed * 0.72 AS DECIMAL(28,12)) ELSE agreed END AS EffectiveCost,
  agreed AS ContractedCost, list AS ListCost, quantity AS PricingQuantity,
  day AS ChargePeriodStart, month AS BillingPeriodStart, invoice || billed AS InvoiceId
FROM costed`;

/** The view that everything reads: the daily amounts with their resources, and the table `others`. */
export const CHARGES = `
CREATE VIEW charges AS
SELECT r.* EXCLUDE (${STEERING}), a.* EXCLUDE (key), a.PricingQuantity AS ConsumedQuantity,
  a.BillingPeriodStart + INTERVAL 1 MONTH AS BillingPeriodEnd, a.ChargePeriodStart + INTERVAL 1 DAY AS ChargePeriodEnd
FROM amounts a JOIN resources r USING (key)
UNION ALL BY NAME SELECT * FROM others`;
