import type { Catalogue, DataType, Field } from "./fields.ts";
import { OPERATORS } from "./operators.ts";
import type { Bucket, CostQuery, Selection } from "./read-cost-query.ts";
import type { Filter, Scalar } from "./read-filter.ts";
import { readInstant } from "./read-instant.ts";
import { Refusal } from "./refusal.ts";

export interface Statement {
  readonly sql: string;
  /** Bound as $1, $2…: nothing that a caller sends but a known field name ever becomes part of the SQL. */
  readonly values: string[];
}

/**
 * One row per group and currency, `pageSize` + 1 of them from `offset` on, as columns g0, g1…, bucket, currency, cost.
 * The order is that of a hash: the same each time, and of no use to anybody.
 */
export function writeCostQuery(query: CostQuery, catalogue: Catalogue, offset: number): Statement {
  const { where, values } = writeSelection(query, catalogue);
  const groups = query.groupBy.map((field, index) => `${field.sql} AS g${index}`);
  const bucket = query.bucket === null ? [] : [BUCKETS[query.bucket]];
  const columns = [...groups, ...bucket, "BillingCurrency AS currency"];
  const names = columns.map((_, place) => place + 1);
  return {
    sql: `SELECT * FROM (
      SELECT ${columns.join(", ")}, CAST(sum("${query.metric}") AS VARCHAR) AS cost FROM charges WHERE ${where} GROUP BY ${names.join(", ")})
    ORDER BY hash(${[...query.groupBy.map((_, index) => `g${index}`), ...(query.bucket ? ["bucket"] : []), "currency"].join(", ")}), ${names.join(", ")}
    LIMIT ${query.pageSize + 1} OFFSET ${offset}`,
    values,
  };
}

const BUCKETS: Record<Bucket, string> = {
  day: "strftime(ChargePeriodStart, '%Y-%m-%d') AS bucket",
  month: "strftime(ChargePeriodStart, '%Y-%m-01') AS bucket",
};

/** The total per currency, as columns currency, cost, rowCount. */
export function writeAggregate(selection: Selection, catalogue: Catalogue): Statement {
  const { where, values } = writeSelection(selection, catalogue);
  return {
    sql: `SELECT BillingCurrency AS currency, CAST(sum("${selection.metric}") AS VARCHAR) AS cost, count(*)::INTEGER AS rowCount
    FROM charges WHERE ${where} GROUP BY 1 ORDER BY 1`,
    values,
  };
}

/** The values of one field in the order of their text, as columns value, rowCount, spend (one `{currency, cost}` per currency). */
export function writeFieldValues(ask: {
  tenantID: string;
  field: Field;
  search: string;
  limit: number;
  offset: number;
}): Statement {
  return {
    sql: `SELECT value, sum(n)::INTEGER AS rowCount, list({currency: currency, cost: cost} ORDER BY currency) AS spend FROM (
      SELECT CAST(${ask.field.sql} AS VARCHAR) AS value, BillingCurrency AS currency, count(*) AS n, CAST(sum(BilledCost) AS VARCHAR) AS cost
      FROM charges WHERE TenantId = $1 GROUP BY 1, 2)
    WHERE value IS NOT NULL AND contains(lower(value), lower($2)) GROUP BY 1 ORDER BY 1 LIMIT ${ask.limit + 1} OFFSET ${ask.offset}`,
    values: [ask.tenantID, ask.search],
  };
}

function writeSelection(selection: Selection, catalogue: Catalogue): { where: string; values: string[] } {
  const values = [selection.tenantID, selection.from, selection.to];
  const range = "ChargePeriodStart >= CAST($2 AS TIMESTAMP) AND ChargePeriodStart < CAST($3 AS TIMESTAMP)";
  const filter = selection.filter === undefined ? "true" : writeFilter(selection.filter, catalogue, values);
  return { where: `TenantId = $1 AND ${range} AND ${filter}`, values };
}

function writeFilter(filter: Filter, catalogue: Catalogue, values: string[]): string {
  if (filter.kind !== "condition")
    return `(${filter.parts.map((part) => writeFilter(part, catalogue, values)).join(` ${filter.kind} `)})`;
  const field = catalogue.get(filter.field);
  const operator = OPERATORS.get(filter.op);
  if (field === undefined) throw new Refusal("UNKNOWN_FIELD", `Unknown fields: ${filter.field}.`, [filter.field]);
  if (operator === undefined) throw new Refusal("UNKNOWN_OPERATOR", `Unknown operator ${filter.op}.`);
  if (!operator.types.includes(field.dataType))
    throw new Refusal("INVALID_FILTER", `${filter.op} does not apply to ${field.name}, which is ${field.dataType}.`, [
      field.name,
    ]);
  const bound = filter.values.map((value) => {
    values.push(readValue(value, field));
    return `CAST($${values.length} AS ${VALUE_TYPES[field.dataType]})`;
  });
  return `(${operator.write(field.sql, bound)})`;
}

const VALUE_TYPES: Record<DataType, string> = {
  string: "VARCHAR",
  decimal: "DECIMAL(38,12)",
  "date-time": "TIMESTAMP",
  boolean: "BOOLEAN",
  json: "VARCHAR",
};

function readValue(value: Scalar, field: Field): string {
  const text = READERS[field.dataType](value);
  if (text === undefined)
    throw new Refusal("INVALID_VALUE", `A value for ${field.name} must be ${field.dataType}.`, [field.name]);
  return text;
}

const READERS: Record<DataType, (value: Scalar) => string | undefined> = {
  string: (value) => String(value),
  decimal: (value) => {
    // A tiny number prints with an exponent, which DECIMAL does not read.
    const text = typeof value === "number" && Math.abs(value) < 1 ? value.toFixed(12) : String(value);
    return /^-?\d{1,24}(\.\d{1,12})?$/.test(text) ? text : undefined;
  },
  "date-time": (value) => readInstant(/^\d{4}-\d{2}-\d{2}$/.test(String(value)) ? `${value}T00:00:00Z` : value),
  boolean: (value) => (["true", "false"].includes(String(value)) ? String(value) : undefined),
  json: () => undefined,
};
