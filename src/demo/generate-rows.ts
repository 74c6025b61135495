import { join } from "node:path";
import type { Calendar } from "./calendar.ts";
import { type Catalogue, sqlTypeOf } from "./fields.ts";
import type { Database } from "./open-database.ts";
import { planResources } from "./plan-resources.ts";
import type { Resource } from "./resource.ts";
import { readServiceLines } from "./service-lines.ts";
import { ACCOUNTS } from "./tenants.ts";
import { COMMITMENTS, CORRECTIONS, CREDITS, DAYS, TAXES } from "./write-monthly-rows.ts";
import { SAMPLE, SAMPLE_AS_IT_IS, SAMPLE_GOES_ON } from "./write-sample-rows.ts";
import { AMOUNTS, CHARGES, RESOURCES } from "./write-usage-rows.ts";

/**
 * Makes the view `charges`: the sample's rows, and generated ones up to about 100,000. Every number comes from the seed, the
 * calendar and the data folder, so two ledgers of one calendar hold the same rows. Money is DECIMAL throughout.
 */
export async function generateRows(database: Database, catalogue: Catalogue, calendar: Calendar, dataFolder: string) {
  await database.rows(createOthers(catalogue));
  await database.rows(DAYS, [calendar.first, calendar.runningMonth, calendar.today]);
  await database.rows(ACCOUNTS_TABLE, [JSON.stringify(ACCOUNTS)]);
  await database.rows(SAMPLE, [join(dataFolder, "focus_sample.csv"), calendar.lastMonth]);
  await database.rows(RESOURCES, [JSON.stringify(planResources(readServiceLines(dataFolder)).map(flatten))]);
  const steps = [SAMPLE_AS_IT_IS, SAMPLE_GOES_ON, AMOUNTS, CHARGES, ...COMMITMENTS, CORRECTIONS, CREDITS, TAXES];
  for (const sql of steps) await database.rows(sql);
  // From here on the database reads no file, whatever a statement says.
  await database.rows("SET enable_external_access = false");
}

/** The table `others`: all charges that are not daily usage of a resource, with every column. */
function createOthers(catalogue: Catalogue): string {
  const focus = [...catalogue.values()].filter((field) => field.provider === "FOCUS" && field.dataType !== "json");
  const columns = focus.map((field) => `"${field.shortName}" ${sqlTypeOf(field.dataType)}`);
  const maps = "TagMap MAP(VARCHAR, VARCHAR), Details MAP(VARCHAR, VARCHAR)";
  return `CREATE TABLE others (TenantId VARCHAR, ${columns.join(", ")}, "SkuPriceDetails" VARCHAR, ${maps})`;
}

const ACCOUNTS_TABLE = `CREATE TABLE accounts AS SELECT unnest(from_json($1::JSON, '[{
  "tenant": "VARCHAR", "provider": "VARCHAR", "currency": "VARCHAR", "billingAccountId": "VARCHAR", "billingAccountName": "VARCHAR",
  "issuer": "VARCHAR", "contracted": "DECIMAL(4,3)", "tax": "DECIMAL(5,4)", "credit": "DECIMAL(10,2)"}]'), recursive := true)`;

/** What the table `resources` is made from; what belongs to the account is joined. */
function flatten(resource: Resource, key: number) {
  const { account: _account, line, team: _team, region, ...own } = resource;
  return { ...line, ...own, key, regionId: region[0], regionName: region[1] };
}
