import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSession, type Session } from "../setup/clients.ts";
import { vitrine } from "../setup/program.ts";

const KEY = "rk_live_canary_0123456789";
const seen: { url: URL; authorization: string | undefined }[] = [];

const transactions = [
  {
    id: "txn_1",
    object: "balance_transaction",
    amount: 1234,
    fee: 66,
    net: 1168,
    currency: "usd",
    created: 1_760_000_000,
    available_on: 1_760_500_000,
    type: "charge",
    reporting_category: "charge",
    status: "available",
    description: "x".repeat(300),
    source: "ch_1",
    fee_details: [],
    exchange_rate: null,
  },
  {
    id: "txn_2",
    object: "balance_transaction",
    amount: 5000,
    fee: 0,
    net: 5000,
    currency: "jpy",
    created: 1_760_000_100,
    available_on: 1_760_500_000,
    type: "charge",
    reporting_category: "charge",
    status: "available",
    description: null,
    source: "ch_2",
    fee_details: [],
    exchange_rate: null,
  },
  {
    id: "txn_3",
    object: "balance_transaction",
    amount: -1005,
    fee: 0,
    net: -1005,
    currency: "kwd",
    created: 1_760_000_200,
    available_on: 1_760_500_000,
    type: "refund",
    reporting_category: "refund",
    status: "available",
    description: "back",
    source: "re_1",
    fee_details: [],
    exchange_rate: null,
  },
];

/** The scripted upstream: what Stripe would answer, by path. */
const SCRIPT: Record<string, unknown> = {
  "/v1/balance": {
    object: "balance",
    livemode: true,
    available: [{ amount: 250000, currency: "usd", source_types: {} }],
    pending: [{ amount: 1500, currency: "jpy", source_types: {} }],
  },
  "/v1/balance_transactions": { object: "list", url: "/v1/balance_transactions", has_more: false, data: transactions },
  "/v1/invoices": { object: "list", url: "/v1/invoices", has_more: false, data: [] },
  "/v1/invoices/in_1": {
    id: "in_1",
    object: "invoice",
    number: "A-1",
    status: "open",
    customer_name: "Acme",
    customer_email: "a@acme.test",
    subtotal: 1000,
    tax: 190,
    total: 1190,
    amount_paid: 0,
    amount_remaining: 1190,
    currency: "eur",
    created: 1_760_000_000,
    due_date: null,
    lines: { object: "list", data: [{ description: "Seat", quantity: 2, amount: 1000, currency: "eur" }] },
  },
  "/v1/customers": {
    object: "list",
    url: "/v1/customers",
    has_more: false,
    data: [
      { id: "cus_1", name: "Acme", email: "a@acme.test", currency: "eur", delinquent: false, created: 1_700_000_000 },
    ],
  },
  "/v1/payouts": {
    object: "list",
    url: "/v1/payouts",
    has_more: false,
    data: [
      {
        id: "po_1",
        status: "paid",
        amount: 99,
        currency: "usd",
        arrival_date: 1_760_000_000,
        statement_descriptor: null,
        failure_message: null,
      },
    ],
  },
  "/v1/refunds": {
    object: "list",
    url: "/v1/refunds",
    has_more: false,
    data: [
      {
        id: "re_1",
        created: 1_760_000_000,
        status: "succeeded",
        reason: null,
        amount: 1005,
        currency: "kwd",
        charge: "ch_1",
      },
      {
        id: "re_2",
        created: 1_760_000_000,
        status: "succeeded",
        reason: null,
        amount: 5,
        currency: "usd",
        charge: { id: "ch_9" },
      },
    ],
  },
  "/v1/disputes": {
    object: "list",
    url: "/v1/disputes",
    has_more: false,
    data: [
      {
        id: "dp_1",
        created: 1_760_000_000,
        status: "needs_response",
        reason: "fraudulent",
        amount: 700,
        currency: "usd",
        evidence_details: { due_by: 1_761_000_000 },
      },
    ],
  },
};

let upstream: Server;
let session: Session;
let env: Record<string, string>;

beforeAll(async () => {
  upstream = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://stripe.test");
    seen.push({ url, authorization: request.headers.authorization });
    const body = SCRIPT[url.pathname];
    response.writeHead(body === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(
      JSON.stringify(
        body ?? {
          error: {
            type: "invalid_request_error",
            code: "resource_missing",
            message: `No such invoice; your key is ${KEY}`,
          },
        },
      ),
    );
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => upstream.once("listening", resolve));
  env = { STRIPE_KEY: KEY };
});

afterAll(async () => {
  await session?.close();
  upstream.close();
});

/** The shipped file, sent to the scripted upstream in place of Stripe. */
async function open(): Promise<Session> {
  const { readFileSync, writeFileSync, mkdtempSync } = await import("node:fs");
  const { join } = await import("node:path");
  const { repository } = await import("../setup/program.ts");
  const port = (upstream.address() as AddressInfo).port;
  const text = readFileSync("curation/stripe.yaml", "utf8").replace(
    "spec: ../specs/stripe.json",
    `spec: ${join(repository, "specs/stripe.json")}\n  baseUrl: http://127.0.0.1:${port}`,
  );
  const file = join(mkdtempSync(join((await import("node:os")).tmpdir(), "vitrine-stripe-")), "stripe.yaml");
  writeFileSync(file, text);
  return await openSession([file, "--root", "/"], env);
}

describe("the Stripe curation against a scripted upstream", () => {
  beforeAll(async () => {
    session = await open();
  });

  test("it checks without an error, and offers ten tools", async () => {
    const { code, stdout } = await vitrine(["check", "curation/stripe.yaml", "--json"]);
    expect(JSON.parse(stdout).filter((finding: { severity: string }) => finding.severity === "error")).toStrictEqual(
      [],
    );
    expect(code).toBe(0);
    expect((await session.client.listTools()).tools).toHaveLength(10);
  });

  test("amounts come in major units of their own currency, times in RFC 3339", async () => {
    const { json } = await session.call("stripe_list_transactions", {
      from: "2025-10-01",
      to: "2025-10-31",
      type: "charge",
    });
    expect(json.data).toMatchObject([
      { id: "txn_1", amount: 12.34, fee: 0.66, net: 11.68, currency: "usd", created: "2025-10-09T08:53:20Z" },
      { id: "txn_2", amount: 5000, fee: 0, net: 5000, currency: "jpy", description: null },
      { id: "txn_3", amount: -1.005, fee: 0, net: -1.005, currency: "kwd" },
    ]);
    expect(String(json.data?.[0]?.["description"]).length).toBeLessThanOrEqual(121);
    expect(json["omitted"]).toMatchObject([{ what: "text", path: "description" }]);
  });

  test("a range of days is sent as Stripe means it: unix seconds, the last day whole", async () => {
    await session.call("stripe_list_transactions", { from: "2025-10-01", to: "2025-10-31" });
    const { url, authorization } = seen.findLast((request) => request.url.pathname === "/v1/balance_transactions")!;
    expect([...url.searchParams]).toStrictEqual(
      expect.arrayContaining([
        ["created[gte]", String(Date.UTC(2025, 9, 1) / 1000)],
        ["created[lt]", String(Date.UTC(2025, 10, 1) / 1000)],
        ["limit", "50"],
      ]),
    );
    expect(authorization).toBe(`Bearer ${KEY}`);
  });

  test("without a range the last 30 days are asked for", async () => {
    await session.call("stripe_list_invoices", {});
    const { url } = seen.findLast((request) => request.url.pathname === "/v1/invoices")!;
    const from = Number(url.searchParams.get("created[gte]"));
    expect(Math.abs(Date.now() / 1000 - 30 * 86_400 - from)).toBeLessThan(120);
    expect(url.searchParams.has("created[lt]")).toBe(false);
  });

  const reads: [tool: string, args: Record<string, unknown>, want: Record<string, unknown>][] = [
    [
      "stripe_get_balance",
      {},
      {
        rowCount: 2,
        data: [
          { state: "available", amount: 2500, currency: "usd" },
          { state: "pending", amount: 1500, currency: "jpy" },
        ],
      },
    ],
    ["stripe_list_invoices", { status: "open" }, { rowCount: 0, hasMore: false, note: expect.any(String) }],
    [
      "stripe_get_invoice",
      { invoice: "in_1" },
      {
        total: 11.9,
        tax: 1.9,
        amount_remaining: 11.9,
        currency: "eur",
        due_date: null,
        lines_in_minor_units: [{ description: "Seat", quantity: 2, amount: 1000, currency: "eur" }],
      },
    ],
    ["stripe_list_payouts", {}, { data: [{ id: "po_1", amount: 0.99, arrival_date: "2025-10-09T08:53:20Z" }] }],
    [
      "stripe_list_refunds",
      {},
      {
        data: [
          { amount: 1.005, currency: "kwd", charge: "ch_1" },
          { amount: 0.05, charge: "ch_9" },
        ],
      },
    ],
    ["stripe_list_disputes", {}, { data: [{ amount: 7, evidence_due_by: "2025-10-20T22:40:00Z" }] }],
    ["stripe_find_customers", { email: "a@acme.test" }, { data: [{ id: "cus_1", created: "2023-11-14T22:13:20Z" }] }],
  ];
  test.each(reads)("%s %j", async (tool, args, want) => {
    const answer = await session.call(tool, args);
    expect(answer.isError).toBe(false);
    expect(answer.json).toMatchObject(want);
  });

  test("Stripe's own words explain a refusal, without the key", async () => {
    const { json, text } = await session.call("stripe_get_invoice", { invoice: "in_2" });
    expect(json).toMatchObject({ error: "upstream_not_found", upstream: { status: 404, code: "resource_missing" } });
    expect(text).not.toContain(KEY);
  });
});
