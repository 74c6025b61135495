import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningLedger, startLedger } from "../../src/demo/start-ledger.ts";
import { type Client, connect, KEY, NOW, OCTOBER } from "./ledger-client.ts";

let ledger: RunningLedger;
let client: Client;
beforeAll(async () => {
  ledger = await startLedger({ key: KEY, now: NOW });
  client = connect(ledger);
});
afterAll(() => ledger.close());

const acme = { tenantID: "acme", range: OCTOBER };
const filtered = (filter: unknown) => ({ ...acme, filter });
const nested = (depth: number): unknown =>
  depth === 0 ? { field: "Tags/team", op: "IS_EMPTY" } : { and: [nested(depth - 1)] };

const QUERIES: readonly (readonly [title: string, body: unknown, status: number, code: string])[] = [
  ["a list for a body", [], 400, "INVALID_REQUEST"],
  ["no tenant", { range: OCTOBER }, 400, "INVALID_REQUEST"],
  ["a tenant that is not there", { ...acme, tenantID: "umbrella" }, 404, "UNKNOWN_TENANT"],
  ["an unknown property", { ...acme, groupby: [] }, 400, "INVALID_REQUEST"],
  ["no range", { tenantID: "acme" }, 400, "INVALID_RANGE"],
  ["a date without a time", { ...acme, range: { from: "2026-10-01", to: "2026-11-01" } }, 400, "INVALID_RANGE"],
  [
    "a day that does not exist",
    { ...acme, range: { from: "2026-02-30T00:00:00Z", to: "2026-11-01T00:00:00Z" } },
    400,
    "INVALID_RANGE",
  ],
  [
    "a year that no timestamp holds",
    { ...acme, range: { from: "0000-01-01T00:00:00+14:00", to: "9999-12-31T23:59:59-14:00" } },
    400,
    "INVALID_RANGE",
  ],
  [
    "a range that ends before it starts",
    { ...acme, range: { from: OCTOBER.to, to: OCTOBER.from } },
    400,
    "INVALID_RANGE",
  ],
  ["an amount to group by", { ...acme, groupBy: ["FOCUS/BilledCost"] }, 400, "FIELD_NOT_GROUPABLE"],
  ["a field twice", { ...acme, groupBy: ["Tags/team", "Tags/team"] }, 400, "INVALID_REQUEST"],
  ["an unknown bucket", { ...acme, bucket: "week" }, 400, "INVALID_REQUEST"],
  ["a page of 1,001 rows", { ...acme, pageSize: 1001 }, 400, "INVALID_REQUEST"],
  ["half a row", { ...acme, pageSize: 1.5 }, 400, "INVALID_REQUEST"],
  ["a page token of nobody's", { ...acme, pageToken: "abc" }, 400, "INVALID_PAGE_TOKEN"],
  ["an unknown metric", { ...acme, metric: "cost" }, 400, "INVALID_REQUEST"],
  ["a name of Object.prototype as field", { ...acme, groupBy: ["constructor", "__proto__"] }, 400, "UNKNOWN_FIELD"],
  ["an unknown operator", filtered({ field: "Tags/team", op: "toString", value: 1 }), 400, "UNKNOWN_OPERATOR"],
  ["an empty filter", filtered({}), 400, "INVALID_FILTER"],
  ["an empty group", filtered({ and: [] }), 400, "INVALID_FILTER"],
  ["a group that is both", filtered({ and: [nested(0)], or: [nested(0)] }), 400, "INVALID_FILTER"],
  ["a condition without its value", filtered({ field: "Tags/team", op: "EQUALS" }), 400, "INVALID_FILTER"],
  ["one value where a list is due", filtered({ field: "Tags/team", op: "IN", value: "a" }), 400, "INVALID_FILTER"],
  ["an order of texts", filtered({ field: "Tags/team", op: "GREATER_THAN", value: "a" }), 400, "INVALID_FILTER"],
  ["seven levels", filtered(nested(6)), 400, "INVALID_FILTER"],
  ["text for an amount", filtered({ field: "FOCUS/BilledCost", op: "EQUALS", value: "much" }), 400, "INVALID_VALUE"],
  [
    "a number too large for an amount",
    filtered({ field: "FOCUS/BilledCost", op: "EQUALS", value: 1e300 }),
    400,
    "INVALID_VALUE",
  ],
  [
    "a word for an instant",
    filtered({ field: "FOCUS/ChargePeriodStart", op: "LESS_THAN", value: "today" }),
    400,
    "INVALID_VALUE",
  ],
];
test.each(QUERIES)("queryCosts refuses %s", async (_title, body, status, code) => {
  const answer = await client.post("/v1/costs/query", body);
  expect([answer.status, answer.body.error.code]).toEqual([status, code]);
});

test("six levels are taken", async () => {
  expect((await client.post("/v1/costs/query", filtered(nested(5)))).status).toBe(200);
});

test("all unknown fields are named at once, of groups and of the filter", async () => {
  const body = {
    ...acme,
    groupBy: ["Service", "FOCUS/ServiceName"],
    filter: { or: [{ field: "team", op: "IS_EMPTY" }] },
  };
  const answer = await client.post("/v1/costs/query", body);
  expect(answer).toEqual({
    status: 400,
    body: { error: { code: "UNKNOWN_FIELD", message: "Unknown fields: Service, team.", fields: ["Service", "team"] } },
  });
});

test("a page token serves no other query", async () => {
  const ask = { ...acme, groupBy: ["FOCUS/ServiceName"], pageSize: 5 };
  const { nextPageToken: pageToken } = (await client.post("/v1/costs/query", ask)).body;
  expect((await client.post("/v1/costs/query", { ...ask, pageToken, pageSize: 7 })).status).toBe(200);
  const other = await client.post("/v1/costs/query", { ...ask, pageToken, bucket: "day" });
  expect(other.body.error.code).toBe("INVALID_PAGE_TOKEN");
});

const GETS: readonly (readonly [path: string, query: Record<string, string>, status: number, code: string])[] = [
  ["/v1/dimensions", {}, 400, "INVALID_REQUEST"],
  ["/v1/dimensions", { tenantID: "umbrella" }, 404, "UNKNOWN_TENANT"],
  ["/v1/dimensions/values", { tenantID: "acme" }, 400, "INVALID_REQUEST"],
  ["/v1/dimensions/values", { tenantID: "acme", field: "team" }, 400, "UNKNOWN_FIELD"],
  ["/v1/dimensions/values", { tenantID: "acme", field: "FOCUS/ListCost" }, 400, "FIELD_NOT_GROUPABLE"],
  ["/v1/dimensions/values", { tenantID: "acme", field: "Tags/team", limit: "0" }, 400, "INVALID_REQUEST"],
  ["/v1/dimensions/values", { tenantID: "acme", field: "Tags/team", pageToken: "x" }, 400, "INVALID_PAGE_TOKEN"],
];
test.each(GETS)("GET %s %j is refused", async (path, query, status, code) => {
  const answer = await client.get(path, query);
  expect([answer.status, answer.body.error.code]).toEqual([status, code]);
});

interface Raw {
  readonly title: string;
  readonly path: string;
  readonly init?: RequestInit;
  readonly want: readonly [number, string];
}
const withKey = { "X-Ledger-Key": KEY };
const json = { ...withKey, "Content-Type": "application/json" };
const RAW: readonly Raw[] = [
  { title: "no key", path: "/v1/tenants", want: [401, "UNAUTHENTICATED"] },
  {
    title: "a wrong key",
    path: "/v1/tenants",
    init: { headers: { "X-Ledger-Key": "test-keY" } },
    want: [401, "UNAUTHENTICATED"],
  },
  { title: "an unknown path", path: "/v2", init: { headers: withKey }, want: [404, "UNKNOWN_ROUTE"] },
  { title: "a path that cannot be decoded", path: "/v1/%ff", init: { headers: withKey }, want: [404, "UNKNOWN_ROUTE"] },
  {
    title: "broken JSON",
    path: "/v1/costs/query",
    init: { method: "POST", headers: json, body: "{" },
    want: [400, "INVALID_JSON"],
  },
  {
    title: "a form",
    path: "/v1/costs/query",
    init: { method: "POST", headers: withKey, body: new URLSearchParams({ a: "b" }) },
    want: [415, "UNSUPPORTED_MEDIA_TYPE"],
  },
  {
    title: "a body of 100 kB",
    path: "/v1/costs/query",
    init: { method: "POST", headers: json, body: JSON.stringify("x".repeat(100_000)) },
    want: [413, "BODY_TOO_LARGE"],
  },
];
test.each(RAW)("$title is answered with the envelope and nothing of the inside", async ({ path, init, want }) => {
  const response = await fetch(ledger.url + path, init);
  const text = await response.text();
  expect(response.headers.get("content-type")).toMatch(/^application\/json/);
  expect([response.status, JSON.parse(text).error.code]).toEqual(want);
  expect(text).not.toMatch(/node_modules|\.ts|<html/i);
});
