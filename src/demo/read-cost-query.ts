import type { Catalogue, Field } from "./fields.ts";
import { type Filter, fieldsOf, readFilter } from "./read-filter.ts";
import { readInstant } from "./read-instant.ts";
import { Refusal } from "./refusal.ts";

const METRICS = ["BilledCost", "EffectiveCost", "ContractedCost", "ListCost"] as const;
export type Metric = (typeof METRICS)[number];

/** What to sum: charges of one tenant whose ChargePeriodStart lies in the half-open range and that pass the filter. */
export interface Selection {
  readonly tenantID: string;
  /** As DuckDB timestamps in UTC. */
  readonly from: string;
  readonly to: string;
  readonly metric: Metric;
  readonly filter: Filter | undefined;
}

export interface CostQuery extends Selection {
  readonly groupBy: readonly Field[];
  readonly bucket: Bucket | null;
  readonly pageSize: number;
  readonly pageToken: string | undefined;
}

export type Bucket = "day" | "month";

const SELECTION_KEYS = ["tenantID", "range", "filter", "metric"];
const QUERY_KEYS = [...SELECTION_KEYS, "groupBy", "bucket", "pageSize", "pageToken"];
const MAX_GROUP_BY = 20;
const MAX_PAGE_SIZE = 1000;
const DEFAULT_PAGE_SIZE = 500;

/** Reads the body of queryCosts. Throws `Refusal`; all unknown fields are named at once. */
export function readCostQuery(body: unknown, catalogue: Catalogue): CostQuery {
  const raw = readObject(body, QUERY_KEYS);
  const names = readGroupBy(raw.groupBy);
  const selection = readSelection(raw, names, catalogue);
  const groupBy = names.flatMap((name) => catalogue.get(name) ?? []);
  refuseUngroupable(groupBy);
  return { ...selection, groupBy, bucket: readBucket(raw.bucket), ...readPage(raw) };
}

/** Reads the body of aggregateCosts. Throws `Refusal`. */
export function readAggregate(body: unknown, catalogue: Catalogue): Selection {
  return readSelection(readObject(body, SELECTION_KEYS), [], catalogue);
}

export function refuseUngroupable(fields: readonly Field[]): void {
  const wrong = fields.filter((field) => !field.groupable).map((field) => field.name);
  if (wrong.length > 0)
    throw new Refusal("FIELD_NOT_GROUPABLE", `These fields are amounts or whole objects: ${wrong.join(", ")}.`, wrong);
}

function readObject(body: unknown, known: readonly string[]): Record<string, unknown> {
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw new Refusal("INVALID_REQUEST", "The body must be a JSON object.");
  const unknown = Object.keys(body).filter((key) => !known.includes(key));
  if (unknown.length > 0)
    throw new Refusal("INVALID_REQUEST", `The body has unknown properties: ${unknown.join(", ")}.`);
  return body as Record<string, unknown>;
}

function readSelection(raw: Record<string, unknown>, groupBy: readonly string[], catalogue: Catalogue): Selection {
  const { tenantID, metric = "BilledCost" } = raw;
  if (typeof tenantID !== "string") throw new Refusal("INVALID_REQUEST", "tenantID must be the id of a tenant.");
  if (!isMetric(metric)) throw new Refusal("INVALID_REQUEST", `metric must be one of ${METRICS.join(", ")}.`);
  const filter = raw.filter === undefined || raw.filter === null ? undefined : readFilter(raw.filter);
  refuseUnknown([...groupBy, ...(filter === undefined ? [] : fieldsOf(filter))], catalogue);
  return { tenantID, metric, filter, ...readRange(raw.range) };
}

export function refuseUnknown(names: readonly string[], catalogue: Catalogue): void {
  const unknown = [...new Set(names.filter((name) => !catalogue.has(name)))];
  if (unknown.length > 0) throw new Refusal("UNKNOWN_FIELD", `Unknown fields: ${unknown.join(", ")}.`, unknown);
}

function readRange(raw: unknown): { from: string; to: string } {
  const { from, to } = (typeof raw === "object" && raw !== null ? raw : {}) as { from?: unknown; to?: unknown };
  const [start, end] = [readInstant(from), readInstant(to)];
  if (start === undefined || end === undefined)
    throw new Refusal(
      "INVALID_RANGE",
      "range.from and range.to must be RFC 3339 date-times, for example 2026-10-01T00:00:00Z.",
    );
  if (start >= end) throw new Refusal("INVALID_RANGE", "range.from must be before range.to, which is exclusive.");
  return { from: start, to: end };
}

function readGroupBy(raw: unknown): readonly string[] {
  if (raw === undefined || raw === null) return [];
  const isList = Array.isArray(raw) && raw.every((name) => typeof name === "string");
  if (!isList || raw.length > MAX_GROUP_BY || new Set(raw).size !== raw.length)
    throw new Refusal("INVALID_REQUEST", `groupBy must be a list of at most ${MAX_GROUP_BY} different field names.`);
  return raw;
}

function readBucket(raw: unknown): Bucket | null {
  if (raw === undefined || raw === null) return null;
  if (raw === "day" || raw === "month") return raw;
  throw new Refusal("INVALID_REQUEST", "bucket must be day, month or null.");
}

function readPage({ pageSize = DEFAULT_PAGE_SIZE, pageToken }: Record<string, unknown>) {
  if (typeof pageSize !== "number" || !Number.isInteger(pageSize) || pageSize < 1 || pageSize > MAX_PAGE_SIZE)
    throw new Refusal("INVALID_REQUEST", `pageSize must be an integer from 1 to ${MAX_PAGE_SIZE}.`);
  if (pageToken === undefined || pageToken === null) return { pageSize, pageToken: undefined };
  if (typeof pageToken !== "string")
    throw new Refusal("INVALID_PAGE_TOKEN", "pageToken must be the text of a nextPageToken.");
  return { pageSize, pageToken };
}

const isMetric = (value: unknown): value is Metric => (METRICS as readonly unknown[]).includes(value);
