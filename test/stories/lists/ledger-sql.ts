import fc from "fast-check";
import { readCatalogue } from "../../../src/demo/fields.ts";
import { findData } from "../../../src/demo/find-data.ts";
import type { RunningLedger } from "../../../src/demo/start-ledger.ts";

/** A filter as callers write it. */
export type CallerFilter =
  | {
      readonly kind: "single";
      readonly field: string;
      readonly op: string;
      readonly value?: string;
      readonly values?: readonly string[];
    }
  | {
      readonly kind: "composite";
      readonly match: "all" | "any" | "none";
      readonly conditions: readonly CallerFilter[];
    };

/** The arguments of `ledger_run_cost_query`. */
export interface CostQuestion {
  readonly tenantID: string;
  readonly start: string;
  readonly end: string;
  readonly dimensions: readonly string[];
  readonly bucket?: "day" | "month";
  readonly metric?: string;
  readonly filter?: CallerFilter;
  readonly limit?: number;
}

export const catalogue = readCatalogue(findData());

/** A text in SQL; its parser ends at a NUL. */
const quote = (text: string) =>
  `(${text
    .split("\u0000")
    .map((part) => `'${part.replaceAll("'", "''")}'`)
    .join(" || chr(0) || ")})`;

const SIGNS: Readonly<Record<string, string>> = { eq: "=", lt: "<", lte: "<=", gt: ">", gte: ">=" };
const CASTS: Readonly<Record<string, string>> = {
  decimal: "DECIMAL(38,12)",
  "date-time": "TIMESTAMP",
  boolean: "BOOLEAN",
};

/** What a filter means (contract section 3), in SQL of the tests' own: two-valued, and a row without a value passes ne, not_in and none. */
export function meaning(filter: CallerFilter): string {
  if (filter.kind === "composite") {
    const parts = filter.conditions.map((one) => `(${meaning(one)})`);
    if (filter.match === "all") return parts.join(" AND ");
    return filter.match === "any" ? parts.join(" OR ") : `NOT (${parts.join(" OR ")})`;
  }
  const field = catalogue.get(filter.field);
  if (field === undefined) throw new Error(`The ledger has no field ${filter.field}`);
  const cell = `(${field.sql})`;
  const cast = CASTS[field.dataType];
  const literal = (text: string | undefined) => {
    const value = field.dataType === "date-time" ? String(text).replace("T", " ").replace("Z", "") : String(text);
    return cast === undefined ? quote(value) : `${quote(value)}::${cast}`;
  };
  // For this upstream empty text is no value (its document says so of IS_EMPTY).
  const isEmpty = `coalesce(CAST(${cell} AS VARCHAR), '') = ''`;
  switch (filter.op) {
    case "is_null":
      return isEmpty;
    case "is_not_null":
      return `NOT (${isEmpty})`;
    case "in":
      return `coalesce(${cell} IN (${filter.values!.map(literal).join(", ")}), false)`;
    case "not_in":
      return `NOT coalesce(${cell} IN (${filter.values!.map(literal).join(", ")}), false)`;
    case "ne":
      return `NOT coalesce(${cell} = ${literal(filter.value)}, false)`;
    case "contains":
      return `coalesce(contains(lower(${cell}), lower(${literal(filter.value)})), false)`;
    default:
      return `coalesce(${cell} ${SIGNS[filter.op]} ${literal(filter.value)}, false)`;
  }
}

/** Where the rows of a question are; `end` is a date, and its whole day belongs to the range. */
export function selection({ tenantID, start, end, filter }: CostQuestion): string {
  const range = `ChargePeriodStart >= ${quote(start)}::TIMESTAMP AND ChargePeriodStart < ${quote(end)}::TIMESTAMP + INTERVAL 1 DAY`;
  return `TenantId = ${quote(tenantID)} AND ${range} AND ${filter === undefined ? "true" : `(${meaning(filter)})`}`;
}

export interface TrueGroup {
  readonly key: string;
  readonly bucket: string | null;
  readonly currency: string;
  /** Decimal text. */
  readonly cost: string;
}

/** Every group of a question, in no order. */
export async function trueGroups(ledger: RunningLedger, question: CostQuestion): Promise<TrueGroup[]> {
  const { dimensions, bucket, metric = "BilledCost" } = question;
  const columns = dimensions.map((name) => `CAST(${catalogue.get(name)!.sql} AS VARCHAR)`);
  const buckets = { day: "strftime(ChargePeriodStart, '%Y-%m-%d')", month: "strftime(ChargePeriodStart, '%Y-%m-01')" };
  const cells = [...columns, bucket === undefined ? "NULL" : buckets[bucket], "BillingCurrency"];
  const rows = await ledger.query(
    `SELECT ${cells.map((cell, at) => `${cell} AS c${at}`).join(", ")}, CAST(coalesce(sum("${metric}"), 0) AS VARCHAR) AS cost FROM charges
    WHERE ${selection(question)} GROUP BY ${cells.map((_, at) => at + 1).join(", ")}`,
  );
  return rows.map((row) => {
    const texts = dimensions.map((_, at) => row[`c${at}`] as string | null);
    const bucketText = row[`c${dimensions.length}`] as string | null;
    const currency = String(row[`c${dimensions.length + 1}`]);
    return { key: keyOf([...texts, bucketText, currency]), bucket: bucketText, currency, cost: String(row["cost"]) };
  });
}

export const keyOf = (cells: readonly unknown[]): string => JSON.stringify(cells.map((cell) => cell ?? null));

/** The true totals by currency, from the charges themselves. */
export async function trueTotals(ledger: RunningLedger, question: CostQuestion): Promise<Map<string, string>> {
  const rows = await ledger.query(
    `SELECT BillingCurrency AS currency, CAST(coalesce(sum("${question.metric ?? "BilledCost"}"), 0) AS VARCHAR) AS cost FROM charges WHERE ${selection(question)} GROUP BY 1`,
  );
  return new Map(rows.map((row) => [String(row["currency"]), String(row["cost"])]));
}

const DIMENSIONS = [
  "FOCUS/ProviderName",
  "FOCUS/ServiceName",
  "FOCUS/RegionId",
  "FOCUS/ChargeCategory",
  "FOCUS/SubAccountName",
  "FOCUS/ServiceCategory",
  "Tags/team",
  "Tags/environment",
  "Tags/release-train",
  "FOCUS/ResourceName",
];

/** Values as the data has them, and some that it has not. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  "FOCUS/ProviderName": ["Microsoft", "AWS", "Google Cloud", "Oracle", "microsoft", "Nobody"],
  "FOCUS/ServiceName": ["Azure Machine Learning", "Amazon Elastic Compute Cloud", "Virtual Machines", "O'Hara"],
  "FOCUS/RegionId": ["westeurope", "us-east-1", "eu-west-1"],
  "FOCUS/ChargeCategory": ["Usage", "Credit", "Tax", "Purchase"],
  "FOCUS/InvoiceId": ["INV", "x"],
  "Tags/team": ["forecasting", "platform", "data", "web"],
  "Tags/environment": ["prod", "dev", "Production"],
};

const texts = fc.constantFrom(...Object.keys(VALUES)).chain((field) => {
  const value = fc.constantFrom(...VALUES[field]!);
  return fc.oneof(
    fc.record({
      kind: fc.constant("single" as const),
      field: fc.constant(field),
      op: fc.constantFrom("eq", "ne"),
      value,
    }),
    fc.record({
      kind: fc.constant("single" as const),
      field: fc.constant(field),
      op: fc.constantFrom("in", "not_in"),
      values: fc.uniqueArray(value, { minLength: 1, maxLength: 3 }),
    }),
    fc.record({
      kind: fc.constant("single" as const),
      field: fc.constant(field),
      op: fc.constant("contains"),
      value: value.map((text) => text.slice(0, 4)),
    }),
    fc.record({
      kind: fc.constant("single" as const),
      field: fc.constant(field),
      op: fc.constantFrom("is_null", "is_not_null"),
    }),
  );
});
const amounts = fc.record({
  kind: fc.constant("single" as const),
  field: fc.constantFrom("FOCUS/BilledCost", "FOCUS/EffectiveCost", "FOCUS/PricingQuantity"),
  op: fc.constantFrom("eq", "ne", "lt", "lte", "gt", "gte"),
  value: fc.constantFrom("0", "-10.5", "0.000001", "25", "1000"),
});
const moments = fc.record({
  kind: fc.constant("single" as const),
  field: fc.constantFrom("FOCUS/ChargePeriodStart", "FOCUS/BillingPeriodStart"),
  op: fc.constantFrom("lt", "lte", "gt", "gte", "eq", "ne"),
  value: fc.constantFrom("2026-09-01T00:00:00Z", "2026-10-01T00:00:00Z", "2026-10-15T00:00:00Z"),
});
const singles: fc.Arbitrary<CallerFilter> = fc.oneof(
  { weight: 4, arbitrary: texts },
  { weight: 1, arbitrary: amounts },
  { weight: 1, arbitrary: moments },
);
const group = (inner: fc.Arbitrary<CallerFilter>): fc.Arbitrary<CallerFilter> =>
  fc.record({
    kind: fc.constant("composite" as const),
    match: fc.constantFrom("all" as const, "any" as const, "none" as const),
    conditions: fc.array(inner, { minLength: 1, maxLength: 3 }),
  });

export const filters: fc.Arbitrary<CallerFilter> = fc.oneof(
  { weight: 3, arbitrary: singles },
  { weight: 2, arbitrary: group(singles) },
  { weight: 1, arbitrary: group(fc.oneof(singles, group(singles))) },
);

const RANGES = [
  ["2026-10-01", "2026-10-31"],
  ["2026-09-01", "2026-10-31"],
  ["2026-10-10", "2026-10-12"],
  ["2025-11-01", "2026-11-28"],
  ["2026-11-01", "2026-11-28"],
] as const;

/** Questions about all tenants, grouped and filtered in any way. By day only over short ranges, or there were more groups than a reply may order. */
export const questions: fc.Arbitrary<CostQuestion> = fc
  .record({
    tenantID: fc.constantFrom("acme", "acme", "acme", "globex", "globex", "initech", "hooli"),
    range: fc.constantFrom(...RANGES),
    dimensions: fc.uniqueArray(fc.constantFrom(...DIMENSIONS), { maxLength: 3 }),
    bucket: fc.constantFrom(undefined, undefined, "month" as const, "day" as const),
    metric: fc.constantFrom(undefined, undefined, "EffectiveCost", "ListCost", "ContractedCost"),
    filter: fc.option(filters, { nil: undefined, freq: 3 }),
    limit: fc.constantFrom(undefined, 1, 3, 10, 50, 200, 1000, 1000),
  })
  .map(({ range: [start, end], bucket, ...question }) => {
    const by = bucket === "day" && Date.parse(end) - Date.parse(start) > 31 * 86_400_000 ? "month" : bucket;
    const dimensions = question.dimensions.filter((name) => by !== "day" || name !== "FOCUS/ResourceName");
    const given = { start, end, bucket: by, ...question, dimensions };
    return Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== undefined),
    ) as unknown as CostQuestion;
  });

/** The ledger's language has neither a negation nor an operator for text that does not contain another. */
export function deniesContains(filter: CallerFilter | undefined): boolean {
  const text = JSON.stringify(filter ?? null);
  return text.includes('"none"') && text.includes('"contains"');
}
