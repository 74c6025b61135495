import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CLIENTS } from "./clients.ts";
import { type Served, startServed } from "./start-served.ts";
import type { Reply } from "./visit.ts";

// Clients that nobody here wrote find and call the same tools, over `vitrine serve` and over `vitrine host`, and understand the answers alike.

const QUERY = "ledger_run_cost_query";
const TOOLS = ["ledger_get_dimension_values", "ledger_list_dimensions", "ledger_list_tenants", QUERY];
const TOOLS_OF_A_KEY = ["ledger_describe_access", "ledger_get_dimension_values", "ledger_list_dimensions", QUERY];
const GOOD = { start: "2026-10-01", end: "2026-10-31", dimensions: ["FOCUS/ProviderName"], limit: 1 };
const WRONG = { dimensions: ["FOCUS/ProviderNam"] };
const REFUSAL = {
  error: "unknown_fields",
  message: "Unknown fields: FOCUS/ProviderNam.",
  recover: "Call `ledger_list_dimensions` and use exact schemaFieldName values.",
  path: "dimensions[0]",
  got: "FOCUS/ProviderNam",
  nearest: ["FOCUS/ProviderName", "FOCUS/PublisherName"],
  retryable: false,
};

let served: Served;
/** What each tenant spent, as a client of no protocol is told; but for the page token, which is another in each reply. */
const spent: Record<string, object> = {};

function withoutToken({ nextPageToken, ...reply }: Record<string, unknown>): object {
  expect(nextPageToken).toBeTypeOf("string");
  return reply;
}

function expectSpending(reply: Reply | undefined, tenant: string): void {
  expect(reply?.failed).toBe(false);
  expect(withoutToken(reply!.text)).toStrictEqual(spent[tenant]);
  if ("structured" in reply!) expect(reply.structured).toStrictEqual(reply!.text);
}

beforeAll(async () => {
  served = await startServed();
  for (const tenantID of ["acme", "globex"])
    spent[tenantID] = withoutToken({ ...(await served.call(QUERY, { tenantID, ...GOOD })) });
  expect(spent["acme"]).toMatchObject({ rowCount: 1, hasMore: true });
  expect(spent["acme"]).not.toStrictEqual(spent["globex"]);
});
afterAll(() => served?.stop());

// A visit starts up to six processes, and the machine may be busy.
describe.each(CLIENTS)("%s", { timeout: 90_000 }, (_, visit) => {
  test.each(["stdio", "HTTP"] as const)("lists and calls tools that are served over %s", async (transport) => {
    const calls = [GOOD, WRONG].map((input) => ({ tool: QUERY, input: { tenantID: "acme", ...input } }));
    const { tools, replies } = await visit(served.open[transport], calls);
    expect(tools).toStrictEqual(TOOLS);
    expectSpending(replies[0], "acme");
    expect(replies[1]).toMatchObject({ failed: true, text: REFUSAL });
  });

  test("lists and calls hosted tools by a key, for the tenant of the key alone", async () => {
    const calls = [GOOD, { tenantID: "globex", ...GOOD }].map((input) => ({ tool: QUERY, input }));
    const acme = await visit(served.hosted("ledger", "acme"), calls);
    expect(acme.tools).toStrictEqual(TOOLS_OF_A_KEY);
    expectSpending(acme.replies[0], "acme");
    expect(acme.replies[1]).toMatchObject({ failed: true, text: { error: "pinned_argument" } });
    const globex = await visit(served.hosted("ledger", "globex"), calls.slice(0, 1));
    expectSpending(globex.replies[0], "globex");
  });

  test("is told that a host lets in nobody without a key that is good for the server", async () => {
    for (const target of [served.hosted("ledger"), served.hosted("shop", "acme")])
      await expect(visit(target, [])).rejects.toThrow(/401|unauthorized|needs a key/i);
  });

  test("writes when it comes back with the confirmation, and not before", async () => {
    const order = async (more: object): Promise<Reply> => {
      const calls = [{ tool: "add_order", input: { item: "a desk", ...more } }];
      return (await visit(served.hosted("shop", "buyer"), calls)).replies[0]!;
    };
    served.orders.length = 0;
    const { failed, text } = await order({});
    const question = { confirm: expect.any(String), text: "Order this?" };
    expect({ failed, text }).toMatchObject({ failed: false, text: { confirmation: question } });
    expect(served.orders).toStrictEqual([]);
    const { confirm } = text["confirmation"] as { confirm: string };
    expect(await order({ confirm })).toMatchObject({ failed: false, text: { ordered: true } });
    expect(served.orders).toStrictEqual([{ item: "a desk" }]);
  });
});
