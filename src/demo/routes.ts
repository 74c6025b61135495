import { type Request, Router } from "express";
import { answerCostQuery } from "./answer-cost-query.ts";
import type { Catalogue } from "./fields.ts";
import { type Dimension, listDimensions } from "./list-dimensions.ts";
import type { Database } from "./open-database.ts";
import { readPageToken, writePageToken } from "./page-token.ts";
import { readAggregate, readCostQuery, refuseUngroupable, refuseUnknown } from "./read-cost-query.ts";
import { Refusal } from "./refusal.ts";
import { TENANTS } from "./tenants.ts";
import { writeAggregate, writeFieldValues } from "./write-query.ts";

export interface Ledger {
  readonly database: Database;
  readonly catalogue: Catalogue;
}

/** The five operations of `specs/ledger.yaml`. */
export function createRoutes(ledger: Ledger): Router {
  const router = Router();
  const dimensions = new Map<string, Dimension[]>();

  router.get("/tenants", (_request, response) => {
    response.json({ tenants: TENANTS.map((tenant) => ({ ...tenant, hasBillingData: tenant.currencies.length > 0 })) });
  });
  router.get("/dimensions", async (request, response) => {
    const tenantID = readTenant(queryOf(request, "tenantID"));
    const known = dimensions.get(tenantID) ?? (await listDimensions(ledger.database, ledger.catalogue, tenantID));
    dimensions.set(tenantID, known);
    response.json({ tenantID, dimensions: known });
  });
  router.get("/dimensions/values", async (request, response) => {
    response.json(await answerFieldValues(ledger, request));
  });
  router.post("/costs/query", async (request, response) => {
    const query = readCostQuery(request.body, ledger.catalogue);
    readTenant(query.tenantID);
    response.json(await answerCostQuery(ledger, query));
  });
  router.post("/costs/aggregate", async (request, response) => {
    const selection = readAggregate(request.body, ledger.catalogue);
    const tenantID = readTenant(selection.tenantID);
    const { sql, values } = writeAggregate(selection, ledger.catalogue);
    const totals = (await ledger.database.rows(sql, values)).map((row) => ({ ...row, cost: Number(row.cost) }));
    response.json({ tenantID, metric: selection.metric, totals, rowCount: countRows(totals) });
  });
  return router;
}

async function answerFieldValues({ database, catalogue }: Ledger, request: Request) {
  const tenantID = readTenant(queryOf(request, "tenantID"));
  const name = queryOf(request, "field");
  const search = queryOf(request, "search") ?? "";
  const limit = readLimit(queryOf(request, "limit"));
  if (name === undefined) throw new Refusal("INVALID_REQUEST", "The query parameter field is required.");
  refuseUnknown([name], catalogue);
  const field = catalogue.get(name);
  if (field === undefined) throw new Refusal("UNKNOWN_FIELD", `Unknown fields: ${name}.`, [name]);
  refuseUngroupable([field]);
  const question = { tenantID, name, search };
  const offset = readPageToken(queryOf(request, "pageToken"), question);
  const { sql, values } = writeFieldValues({ tenantID, field, search, limit, offset });
  const rows = await database.rows(sql, values);
  return {
    field: name,
    values: rows.slice(0, limit).map((row) => ({ ...row, spend: toNumbers(row.spend as Spend[]) })),
    ...(rows.length > limit && { nextPageToken: writePageToken(offset + limit, question) }),
  };
}

interface Spend {
  readonly currency: string;
  readonly cost: string;
}

const toNumbers = (spend: readonly Spend[]) => spend.map(({ currency, cost }) => ({ currency, cost: Number(cost) }));

const countRows = (totals: readonly Record<string, unknown>[]): number =>
  totals.reduce((sum, total) => sum + Number(total.rowCount), 0);

function readTenant(tenantID: string | undefined): string {
  if (tenantID === undefined) throw new Refusal("INVALID_REQUEST", "The query parameter tenantID is required.");
  if (!TENANTS.some((tenant) => tenant.id === tenantID))
    throw new Refusal("UNKNOWN_TENANT", `There is no tenant ${tenantID}.`);
  return tenantID;
}

function readLimit(text: string | undefined): number {
  if (text === undefined) return 100;
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > 1000) throw new Refusal("INVALID_REQUEST", "limit must be an integer from 1 to 1000.");
  return limit;
}

function queryOf(request: Request, name: string): string | undefined {
  const value = request.query[name];
  if (value === undefined || typeof value === "string") return value;
  throw new Refusal("INVALID_REQUEST", `The query parameter ${name} may be given once.`);
}
