/** `days` from the first day to the day before today, and what month each is in; $1 first, $2 running month, $3 today. */
export const DAYS = `
CREATE TABLE days AS
SELECT day, date_trunc('month', day)::TIMESTAMP AS month, date_diff('month', $1::TIMESTAMP, day) AS monthIndex,
  dayofweek(day) IN (0, 6) AS weekend, '@' || strftime(day, '%Y-%m-%d') AS name, $2::TIMESTAMP AS runningMonth,
  CASE WHEN month < runningMonth THEN strftime(month, '-%Y%m') END AS billed
FROM (SELECT unnest(generate_series($1::TIMESTAMP, $3::TIMESTAMP - INTERVAL 1 DAY, INTERVAL 1 DAY)) AS day)`;

const ACCOUNT_COLUMNS = `
  a.tenant AS TenantId, a.billingAccountId AS BillingAccountId, a.billingAccountName AS BillingAccountName,
  'Billing account' AS BillingAccountType, a.currency AS BillingCurrency, a.currency AS PricingCurrency,
  a.provider AS ProviderName, a.issuer AS PublisherName, a.issuer AS InvoiceIssuerName`;

const EACH_MONTH = "(SELECT DISTINCT month, runningMonth FROM days)";

/**
 * A savings plan is a Purchase row a month (billed, no effective cost), and what no usage took of it is an Unused row a day, so that
 * Used + Unused of a complete month is exactly the purchase (FOCUS 1.2, CommitmentDiscountStatus).
 */
export const COMMITMENTS: readonly string[] = [
  `CREATE TABLE commitments AS
  SELECT TenantId, CommitmentDiscountId, round(max(used) * 1.04, 2) AS daily FROM (
    SELECT TenantId, CommitmentDiscountId, ChargePeriodStart, sum(EffectiveCost) AS used FROM charges
    WHERE CommitmentDiscountStatus = 'Used' AND CommitmentDiscountName = 'Compute savings plan' GROUP BY ALL)
  GROUP BY ALL`,
  `INSERT INTO others BY NAME
  SELECT ${ACCOUNT_COLUMNS}, 0 AS BilledCost, c.daily - u.used AS EffectiveCost, 0 AS ContractedCost, 0 AS ListCost,
    u.month AS BillingPeriodStart, u.month + INTERVAL 1 MONTH AS BillingPeriodEnd, u.day AS ChargePeriodStart, u.day + INTERVAL 1 DAY AS ChargePeriodEnd,
    'Usage' AS ChargeCategory, 'Usage-Based' AS ChargeFrequency, 'Unused part of the compute savings plan' AS ChargeDescription,
    'Committed' AS PricingCategory, c.CommitmentDiscountId, 'Compute savings plan' AS CommitmentDiscountName, 'Spend' AS CommitmentDiscountCategory,
    'Savings Plan' AS CommitmentDiscountType, 'Unused' AS CommitmentDiscountStatus, c.CommitmentDiscountId AS ResourceId,
    'Compute' AS ServiceCategory, 'Amazon Elastic Compute Cloud' AS ServiceName, map {'Ledger/LoadedFrom': 'generated'} AS Details
  FROM commitments c
  JOIN (SELECT TenantId, ChargePeriodStart AS day, BillingPeriodStart AS month, sum(EffectiveCost) AS used FROM charges
    WHERE CommitmentDiscountStatus = 'Used' AND CommitmentDiscountName = 'Compute savings plan' GROUP BY ALL) u ON u.TenantId = c.TenantId
  JOIN accounts a ON a.tenant = c.TenantId AND a.provider = 'AWS'`,
  `INSERT INTO others BY NAME
  SELECT ${ACCOUNT_COLUMNS}, m.cost AS BilledCost, 0 AS EffectiveCost, m.cost AS ContractedCost, m.cost AS ListCost,
    m.month AS BillingPeriodStart, m.month + INTERVAL 1 MONTH AS BillingPeriodEnd, m.month AS ChargePeriodStart, m.month + INTERVAL 1 MONTH AS ChargePeriodEnd,
    'Purchase' AS ChargeCategory, 'Recurring' AS ChargeFrequency, 'Monthly payment for the compute savings plan' AS ChargeDescription,
    'Standard' AS PricingCategory, m.CommitmentDiscountId, 'Compute savings plan' AS CommitmentDiscountName, 'Spend' AS CommitmentDiscountCategory,
    'Savings Plan' AS CommitmentDiscountType, m.cost AS CommitmentDiscountQuantity, a.currency AS CommitmentDiscountUnit,
    m.CommitmentDiscountId AS ResourceId, 'Compute' AS ServiceCategory, 'Amazon Elastic Compute Cloud' AS ServiceName,
    map {'Ledger/LoadedFrom': 'generated'} AS Details
  FROM (SELECT c.TenantId, c.CommitmentDiscountId, d.month, c.daily * day(last_day(d.month)) AS cost FROM commitments c CROSS JOIN ${EACH_MONTH} d) m
  JOIN accounts a ON a.tenant = m.TenantId AND a.provider = 'AWS'`,
];

/** A refund of 15 % of some resources' previous month: invoiced now, for then, negative, ChargeClass Correction. */
export const CORRECTIONS = `
INSERT INTO others BY NAME
SELECT u.* EXCLUDE (month, cost), -u.cost AS BilledCost, -u.cost AS EffectiveCost, -u.cost AS ContractedCost, -u.cost AS ListCost,
  u.month + INTERVAL 1 MONTH AS BillingPeriodStart, u.month + INTERVAL 2 MONTH AS BillingPeriodEnd,
  u.month AS ChargePeriodStart, u.month + INTERVAL 1 MONTH AS ChargePeriodEnd,
  'Usage' AS ChargeCategory, 'Correction' AS ChargeClass, 'One-Time' AS ChargeFrequency, 'Refund for an outage in the previous month' AS ChargeDescription,
  map {'Ledger/LoadedFrom': 'generated'} AS Details
FROM (
  SELECT TenantId, BillingAccountId, BillingAccountName, BillingAccountType, BillingCurrency, PricingCurrency, ProviderName, PublisherName,
    InvoiceIssuerName, RegionId, RegionName, ResourceId, ResourceName, ResourceType, ServiceCategory, ServiceName, ServiceSubcategory,
    SubAccountId, SubAccountName, SubAccountType, date_trunc('month', ChargePeriodStart) AS month,
    CAST(sum(BilledCost) * 0.15 AS DECIMAL(28,12)) AS cost
  FROM charges
  WHERE ResourceId LIKE 'ledger:%/%/%4/%' AND ChargeCategory = 'Usage'
    AND ChargePeriodStart < (SELECT max(month) FROM days) AND ServiceName <> 'Azure Machine Learning'
  GROUP BY ALL HAVING sum(BilledCost) > 0
) u`;

/** One credit a month and account, on its third day: negative, without a resource, One-Time. */
export const CREDITS = `
INSERT INTO others BY NAME
SELECT ${ACCOUNT_COLUMNS}, -a.credit AS BilledCost, -a.credit AS EffectiveCost, -a.credit AS ContractedCost, -a.credit AS ListCost,
  d.month AS BillingPeriodStart, d.month + INTERVAL 1 MONTH AS BillingPeriodEnd, d.day AS ChargePeriodStart, d.day + INTERVAL 1 DAY AS ChargePeriodEnd,
  'Credit' AS ChargeCategory, 'One-Time' AS ChargeFrequency, 'Other' AS PricingCategory, 'Programme credit' AS ChargeDescription,
  'Other' AS ServiceCategory, a.provider || ' credits' AS ServiceName, map {'Ledger/LoadedFrom': 'generated'} AS Details
FROM accounts a CROSS JOIN days d WHERE a.credit > 0 AND day(d.day) = 3`;

/** Tax on the bill of every complete month, on its last day. */
export const TAXES = `
INSERT INTO others BY NAME
SELECT ${ACCOUNT_COLUMNS}, b.cost AS BilledCost, b.cost AS EffectiveCost, b.cost AS ContractedCost, b.cost AS ListCost,
  b.month AS BillingPeriodStart, b.month + INTERVAL 1 MONTH AS BillingPeriodEnd,
  b.month + INTERVAL 1 MONTH - INTERVAL 1 DAY AS ChargePeriodStart, b.month + INTERVAL 1 MONTH AS ChargePeriodEnd,
  'Tax' AS ChargeCategory, 'One-Time' AS ChargeFrequency, 'Sales tax or VAT of the month' AS ChargeDescription,
  'Other' AS ServiceCategory, a.provider || ' tax' AS ServiceName, map {'Ledger/LoadedFrom': 'generated'} AS Details
FROM accounts a JOIN (
  SELECT c.TenantId, c.ProviderName, c.BillingPeriodStart AS month, CAST(sum(c.BilledCost) * any_value(t.tax) AS DECIMAL(28,12)) AS cost
  FROM charges c JOIN accounts t ON t.tenant = c.TenantId AND t.provider = c.ProviderName
  WHERE t.tax > 0 AND c.BillingPeriodStart < (SELECT max(runningMonth) FROM days) GROUP BY ALL
) b ON b.TenantId = a.tenant AND b.ProviderName = a.provider`;
