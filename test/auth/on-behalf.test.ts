import { readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openAuthorizer } from "../../src/auth/open-authorizer.ts";
import { type Egress, openEgress } from "../../src/egress/open-egress.ts";
import { createRunner, type Runner } from "../../src/run/run-tool.ts";
import { run } from "../cli/fake-shell.ts";
import { compileTools } from "../compile/compile-text.ts";
import { type Orders, openOrders } from "./open-orders.ts";
import { json, openTokenEndpoint, type TokenEndpoint } from "./token-endpoint.ts";

const CURATION = "test/fixtures/auth/on-behalf.curation.yaml";
const SECRET = "canary-s3cret";
const TOOLS = `list_orders: {operation: listOrders, use: Test.}
echo: {operation: echo, use: Test.}
open_door: {operation: openDoor, use: Test.}`;
const API =
  "baseUrl: '${env.ORDERS_URL}', auth: {oauth: {tokenExchange: {tokenUrl: '${env.ORDERS_TOKENS}', audience: orders, clientId: c, clientSecret: '${env.ORDERS_SECRET}'}}}";

let orders: Orders;
let endpoint: TokenEndpoint;
let egress: Egress;
let runner: Runner;
const reported: unknown[] = [];
const env = () => ({ ORDERS_URL: orders.url, ORDERS_TOKENS: endpoint.tokenUrl, ORDERS_SECRET: SECRET });

beforeAll(async () => {
  orders = await openOrders(async (token) => (token.startsWith("for-") ? { scope: "orders:read" } : undefined));
  endpoint = await openTokenEndpoint();
  egress = openEgress({ trustedHosts: ["127.0.0.1"], allowPrivate: [] });
  const { toolset } = await compileTools(readFileSync("test/fixtures/auth/orders.yaml", "utf8"), TOOLS, { api: API });
  runner = createRunner(
    toolset!,
    { env: env() },
    {
      egress,
      authorize: openAuthorizer(),
      observe: () => {},
      report: (error) => reported.push(error),
      now: () => new Date(),
    },
  );
});
afterAll(async () => {
  await egress?.close();
  await endpoint?.close();
  await orders?.close();
});
beforeEach(() => {
  orders.log.length = 0;
  orders.tokens.clear();
  endpoint.heard.length = 0;
  reported.length = 0;
  endpoint.answer = (response, request, count) => {
    const name = request.form.get("subject_token")?.split(".")[0];
    json({ access_token: `for-${name}-${count}`, token_type: "Bearer", expires_in: 600 })(response, request, count);
  };
});

const subject = (name: string): string => `${name}.canary-subject`;
async function call(tool: string, subjectToken?: string) {
  const caller = { key: {}, signal: new AbortController().signal, ...(subjectToken !== undefined && { subjectToken }) };
  return runner.call(tool, {}, caller);
}

describe("an API that is called on behalf of its callers", () => {
  test("sees for each caller the token that was given for that caller, and never the caller's own", async () => {
    const names = Array.from({ length: 40 }, (_, n) => ["ann", "bob", "cid", "dee"][n % 4]!);
    const replies = await Promise.all(names.map(async (name) => ({ name, reply: await call("echo", subject(name)) })));
    expect(endpoint.heard).toHaveLength(4);
    expect([...orders.tokens].toSorted().map((token) => token.slice(0, 7))).toEqual([
      "for-ann",
      "for-bob",
      "for-cid",
      "for-dee",
    ]);
    for (const { name, reply } of replies) {
      expect(reply).toMatchObject({ isError: false });
      // The API says back all that it was sent: no token stands in any reply.
      expect(reply.text).not.toMatch(/canary|for-(ann|bob|cid|dee)/);
      expect([...orders.tokens].filter((token) => token.startsWith(`for-${name}`))).toHaveLength(1);
    }
  });

  test("is not called without a caller's token, and says what is missing; what needs none works", async () => {
    const reply = await call("list_orders");
    expect(reply).toMatchObject({ isError: true, error: "upstream_unauthorized" });
    expect(reply.text).toContain("no access token of the user");
    expect([orders.log, endpoint.heard]).toEqual([[], []]);
    expect(await call("open_door")).toMatchObject({ isError: false });
  });

  test("says to a caller whose token is not exchanged what to do, and shows no part of it", async () => {
    endpoint.answer = (response, request, count) =>
      json({ error: "invalid_grant", error_description: `No: ${request.form.get("subject_token")}` }, 400)(
        response,
        request,
        count,
      );
    const reply = await call("list_orders", subject("eve"));
    expect(reply).toMatchObject({ isError: true, error: "upstream_unauthorized" });
    expect(reply.text).toContain("Tell the user to sign in anew");
    const told = reported.map((error) => `${(error as Error).message} ${String((error as Error).cause)}`).join();
    expect(`${reply.text}${told}`).not.toContain("canary");
    expect(orders.log).toEqual([]);
  });
});

describe("the command line, which has no caller's token", () => {
  test("says so", async () => {
    const { code, out, err } = await run(["call", CURATION, "list_orders"], { env: env() });
    expect(code).toBe(1);
    expect(`${out}${err}`).toContain("no access token of the user: only a hosted server with `oauth` has one");
    expect(endpoint.heard).toEqual([]);
  });

  test("shows the requests all the same, and finds nothing wrong with the curation", async () => {
    const dry = await run(["call", CURATION, "list_orders", "--dry-run"], { env: env() });
    expect([dry.code, dry.err]).toEqual([0, expect.any(String)]);
    expect(dry.out).toContain("/orders");
    expect(dry.out).not.toContain("canary");
    expect((await run(["check", CURATION])).code).toBe(0);
  });
});
