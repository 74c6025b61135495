import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { host } from "../../../src/cli/commands/host.ts";
import { type Orders, openOrders } from "../../auth/open-orders.ts";
import { json, openTokenEndpoint, type TokenEndpoint } from "../../auth/token-endpoint.ts";
import { freePort, until } from "../../egress/serve.ts";
import { openIssuer, type TestIssuer } from "./open-issuer.ts";

/** `vitrine host` over an API that is called on behalf of who calls, from the access token at the door to the one that the API sees. */
const folder = mkdtempSync(join(tmpdir(), "on-behalf-"));
const SECRET = "canary-s3cret";
const stop = new AbortController();
let lines = "";
let issuer: TestIssuer;
let orders: Orders;
let endpoint: TokenEndpoint;
let origin: string;
let ended: Promise<number>;

beforeAll(async () => {
  issuer = await openIssuer();
  endpoint = await openTokenEndpoint();
  orders = await openOrders(async (token) => (token.startsWith("for-") ? { scope: "orders:read" } : undefined));
  origin = `http://127.0.0.1:${await freePort()}`;
  const file = join(folder, "host.yaml");
  writeFileSync(
    file,
    `listen: ${origin.slice("http://".length)}
publicUrl: ${origin}
servers:
  orders:
    curation: ${resolve("test/fixtures/auth/on-behalf.curation.yaml")}
    env: [ORDERS_URL, ORDERS_TOKENS, ORDERS_SECRET]
    allowPrivate: [127.0.0.0/8]
oauth: { issuer: "${issuer.issuer}", scopes: [orders] }
`,
  );
  const note = (line: string): void => {
    lines += `${line}\n`;
  };
  const env = { ORDERS_URL: orders.url, ORDERS_TOKENS: endpoint.tokenUrl, ORDERS_SECRET: SECRET };
  const shell = { print: note, note, colour: false, env, readStdin: async () => "", signal: stop.signal };
  ended = host.run([file], shell);
  ended.catch(note);
  await Promise.race([until(() => lines.includes("listening")), ended.then(() => Promise.reject(new Error(lines)))]);
}, 30_000);
afterAll(async () => {
  stop.abort();
  expect(await ended).toBe(0);
  await Promise.all([issuer, endpoint, orders].map((one) => one?.close()));
  rmSync(folder, { recursive: true });
}, 30_000);
beforeEach(() => {
  orders.tokens.clear();
  endpoint.heard.length = 0;
  endpoint.answer = (response, request, count) => {
    const claims = request.form.get("subject_token")?.split(".")[1] ?? "";
    const { sub } = JSON.parse(Buffer.from(claims, "base64url").toString());
    json({ access_token: `for-${sub}-${count}`, token_type: "Bearer", expires_in: 600 })(response, request, count);
  };
});

const sign = (sub: string, more: object = {}): Promise<string> => {
  const now = Math.floor(Date.now() / 1000);
  return issuer.sign({ sub, aud: `${origin}/mcp/orders`, iat: now, exp: now + 300, scope: "orders", ...more });
};

async function post(token: string | undefined, name = "echo", server = "orders") {
  const response = await fetch(`${origin}/mcp/${server}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: {} } }),
  });
  return { status: response.status, challenge: response.headers.get("www-authenticate"), text: await response.text() };
}

describe("a hosted server that calls its API on behalf of its callers", () => {
  test("sends for each caller the token that was given in exchange for the caller's own", async () => {
    const subjects = ["ann", "bob", "cid"];
    const own = await Promise.all(subjects.map((sub) => sign(sub)));
    const calls = Array.from({ length: 24 }, (_, n) => post(own[n % 3]));
    for (const { status, text } of await Promise.all(calls)) {
      expect(status, text).toBe(200);
      expect(text).toContain("***");
      for (const secret of [...own, ...orders.tokens, SECRET]) expect(text).not.toContain(secret);
    }
    expect(endpoint.heard.map(({ form }) => form.get("subject_token")).toSorted()).toEqual(own.toSorted());
    expect([...orders.tokens].map((token) => token.slice(4, 7)).toSorted()).toEqual(subjects);
  });

  test("finds its way from the challenge to the issuer", async () => {
    const { status, challenge } = await post(undefined);
    expect(status).toBe(401);
    const metadata = /resource_metadata="([^"]+)"/.exec(challenge ?? "")?.[1] ?? "";
    expect(await (await fetch(metadata)).json()).toEqual({
      resource: `${origin}/mcp/orders`,
      authorization_servers: [issuer.issuer],
      bearer_methods_supported: ["header"],
      scopes_supported: ["orders"],
    });
  });

  test.each([
    ["of another server", { aud: "https://tools.example.com/mcp/orders" }, 401, /invalid_token/],
    ["that is over", { exp: 1_700_000_000 }, 401, /invalid_token/],
    ["without the scope", { scope: "people" }, 403, /error="insufficient_scope", scope="orders"/],
  ])("refuses a token %s", async (_, claims, status, challenge) => {
    const answer = await post(await sign("ann", claims));
    expect(answer.status).toBe(status);
    expect(answer.challenge).toMatch(challenge);
    expect(endpoint.heard).toEqual([]);
  });

  test("writes no token and no secret into its log", async () => {
    endpoint.answer = (response, request, count) => {
      const description = `No: ${request.form.get("subject_token")} ${request.headers.authorization}`;
      json({ error: "invalid_grant", error_description: description }, 400)(response, request, count);
    };
    const token = await sign("eve");
    const { text } = await post(token);
    expect(text).toContain("upstream_unauthorized");
    await until(() => lines.includes("invalid_grant"));
    for (const secret of [token, token.split(".")[1]!, SECRET]) expect(`${lines}${text}`).not.toContain(secret);
  });
});
