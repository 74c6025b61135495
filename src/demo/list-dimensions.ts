import { describeField, displayNameOf } from "./describe-field.ts";
import type { Catalogue, Field } from "./fields.ts";
import type { Database } from "./open-database.ts";

/** One entry of the catalogue as listDimensions answers it. */
export interface Dimension {
  readonly schemaFieldName: string;
  readonly displayName: string;
  readonly dataType: string;
  readonly description: string;
  readonly provider: string;
  readonly category: string;
  readonly sampleValues: readonly string[];
  readonly nullable: boolean;
  readonly groupable: boolean;
}

/** Columns that every charge has (FOCUS 1.2: not null), so that a negated filter on them loses nothing. */
const NEVER_ABSENT = new Set([
  "BilledCost",
  "BillingAccountId",
  "BillingCurrency",
  "BillingPeriodEnd",
  "BillingPeriodStart",
  "ChargeCategory",
  "ChargePeriodEnd",
  "ChargePeriodStart",
  "EffectiveCost",
  "InvoiceIssuerName",
  "ListCost",
  "ProviderName",
  "PublisherName",
  "ServiceCategory",
  "ServiceName",
]);

/** All fields, with up to three values of each that the tenant's data holds; none for a tenant without data. */
export async function listDimensions(database: Database, catalogue: Catalogue, tenantID: string): Promise<Dimension[]> {
  const samples = await sampleValues(database, catalogue, tenantID);
  return [...catalogue.values()].map((field) => ({
    schemaFieldName: field.name,
    displayName: displayNameOf(field),
    dataType: field.dataType,
    description: describeField(field),
    provider: field.provider,
    category: field.category,
    sampleValues: samples.get(field.name) ?? [],
    nullable: !(field.provider === "FOCUS" && NEVER_ABSENT.has(field.shortName)),
    groupable: field.groupable,
  }));
}

async function sampleValues(
  database: Database,
  catalogue: Catalogue,
  tenantID: string,
): Promise<Map<string, string[]>> {
  const focus = [...catalogue.values()].filter((field) => field.provider === "FOCUS");
  const [columns = {}] = await database.rows(writeColumnSamples(focus), [tenantID]);
  const maps = await database.rows(MAP_SAMPLES, [tenantID]);
  const fromColumns = focus.map((field, index) => [field.name, columns[`s${index}`] ?? []] as const);
  const fromMaps = maps.map((row) => [String(row.name), row.samples] as const);
  return new Map([...fromColumns, ...fromMaps] as [string, string[]][]);
}

// The first days of the months hold every kind of charge, at a thirtieth of the rows.
const SOME = "FROM charges WHERE TenantId = $1 AND day(ChargePeriodStart) IN (1, 3)";

const writeColumnSample = ({ sql }: Field, index: number): string =>
  `list_sort(list(DISTINCT left(CAST(${sql} AS VARCHAR), 60)) FILTER (${sql} IS NOT NULL))[:3] AS s${index}`;

const writeColumnSamples = (fields: readonly Field[]): string =>
  `SELECT ${fields.map(writeColumnSample).join(", ")} ${SOME}`;

const MAP_SAMPLES = `
SELECT name, list_sort(list(DISTINCT left(value, 60)))[:3] AS samples FROM (
  SELECT 'Tags/' || unnest(map_keys(TagMap)) AS name, unnest(map_values(TagMap)) AS value ${SOME}
  UNION ALL SELECT unnest(map_keys(Details)), unnest(map_values(Details)) ${SOME})
GROUP BY name`;
