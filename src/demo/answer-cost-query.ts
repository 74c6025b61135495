import type { Catalogue, DataType } from "./fields.ts";
import type { Database, Row } from "./open-database.ts";
import { readPageToken, writePageToken } from "./page-token.ts";
import type { CostQuery } from "./read-cost-query.ts";
import { writeCostQuery } from "./write-query.ts";

/** One page of rows, keyed by the field names asked for; a row without a value lacks the key. */
export async function answerCostQuery(ledger: { database: Database; catalogue: Catalogue }, query: CostQuery) {
  const { pageSize, pageToken, ...question } = query;
  const offset = readPageToken(pageToken, question);
  const { sql, values } = writeCostQuery(query, ledger.catalogue, offset);
  const rows = await ledger.database.rows(sql, values);
  return {
    tenantID: query.tenantID,
    metric: query.metric,
    rows: rows.slice(0, pageSize).map((row) => writeRow(row, query)),
    ...(rows.length > pageSize && { nextPageToken: writePageToken(offset + pageSize, question) }),
  };
}

function writeRow(row: Row, query: CostQuery): Record<string, unknown> {
  const groups = query.groupBy.flatMap(({ name, dataType }, index) => {
    const value = row[`g${index}`];
    return value === null ? [] : [[name, WRITERS[dataType](value)] as const];
  });
  return {
    ...Object.fromEntries(groups),
    ...(query.bucket !== null && { bucket: row.bucket }),
    cost: Number(row.cost),
    currency: row.currency,
  };
}

const asItIs = (value: unknown) => value;

const WRITERS: Record<DataType, (value: unknown) => unknown> = {
  string: asItIs,
  decimal: Number,
  "date-time": asItIs,
  boolean: asItIs,
  json: asItIs,
};
