import { createServer } from "node:http";
import Provider from "oidc-provider";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Orders, openOrders } from "../auth/open-orders.ts";
import { json, openTokenEndpoint, type TokenEndpoint, tokens } from "../auth/token-endpoint.ts";
import { listen, type Served } from "../egress/serve.ts";
import { openSession, type Session } from "../setup/clients.ts";
import { vitrine } from "../setup/program.ts";

const CURATION = "test/fixtures/auth/orders.curation.yaml";
const SECRET = "canary-s3cret/+%~!";
const SECRETS = [
  SECRET,
  encodeURIComponent(SECRET),
  new URLSearchParams({ "": SECRET }).toString().slice(1),
  Buffer.from(SECRET).toString("base64").slice(0, 12),
];

/** No secret of ours and no token in anything that was printed or replied. */
function expectClean(shown: string, orders: Orders): void {
  const forms = (text: string) => [text, encodeURIComponent(text), Buffer.from(`Bearer ${text}`).toString("base64")];
  for (const secret of [...SECRETS, ...[...orders.tokens].flatMap(forms)]) expect(shown).not.toContain(secret);
}

describe("with a real authorization server", () => {
  let server: Served;
  let orders: Orders;
  let provider: Provider;
  const granted: string[] = [];
  const env = (clientId: string, more: Record<string, string> = {}) => ({
    ORDERS_URL: orders.url,
    ORDERS_TOKENS: `${server.url}/token`,
    ORDERS_ID: clientId,
    ORDERS_SECRET: SECRET,
    ...more,
  });

  beforeAll(async () => {
    const http = createServer((request, response) => {
      const pair = Buffer.from(request.headers.authorization?.slice(6) ?? "", "base64").toString();
      if (request.url === "/token") granted.push(pair === "" ? "post" : "basic");
      // As a server would see it that looks for clients in the body alone.
      if (pair.startsWith("poster:")) delete request.headers.authorization;
      return provider.callback()(request, response);
    });
    server = await listen(http);
    const client = {
      client_secret: SECRET,
      grant_types: ["client_credentials"],
      redirect_uris: [],
      response_types: [],
    };
    provider = new Provider(server.url, {
      clients: [
        { ...client, client_id: "machine:1" },
        { ...client, client_id: "poster", token_endpoint_auth_method: "client_secret_post" },
      ],
      scopes: ["orders:read", "orders:write"],
      features: { clientCredentials: { enabled: true }, devInteractions: { enabled: false } },
      ttl: { ClientCredentials: 600 },
    });
    orders = await openOrders(async (token) => {
      const found = await provider.ClientCredentials.find(token);
      return found === undefined || found.isExpired ? undefined : { scope: found.scope };
    });
  });
  afterAll(async () => {
    await orders?.close();
    await server?.close();
  });
  beforeEach(() => {
    granted.length = 0;
    orders.log.length = 0;
  });

  async function within<T>(clientId: string, use: (session: Session) => Promise<T>): Promise<T> {
    const session = await openSession([CURATION], env(clientId));
    try {
      return await use(session);
    } finally {
      await session.close();
    }
  }

  test("fifty calls at once share one token, and each scope has its own", async () => {
    await within("machine:1", async (session) => {
      const all = await Promise.all(Array.from({ length: 50 }, () => session.call("list_orders")));
      expect(new Set(all.map(({ text }) => text))).toEqual(new Set(['{"scope":"orders:read"}']));
      expect(granted).toEqual(["basic"]);
      expect((await session.call("add_order", { item: "x" })).json).toEqual({ scope: "orders:write" });
      expect(granted).toEqual(["basic", "basic"]);
    });
  });

  test("a client that is known by its body alone gets in as well", async () => {
    await within("poster", async (session) => {
      expect((await session.call("list_orders")).json).toEqual({ scope: "orders:read" });
      expect(granted).toEqual(["basic", "post"]);
    });
  });

  test("a token that was taken back is renewed once, for a read and for a write", async () => {
    await within("machine:1", async (session) => {
      for (const [tool, args] of [
        ["list_orders", {}],
        ["add_order", { item: "x" }],
      ] as const) {
        await session.call(tool, args);
        const { length } = orders.log;
        for (const token of orders.tokens) await (await provider.ClientCredentials.find(token))?.destroy();
        expect((await session.call(tool, args)).isError).toBe(false);
        expect(orders.log.slice(length).map((line) => line.split(" ").at(-1))).toEqual(["401", "200"]);
      }
      expect(granted).toHaveLength(4);
    });
  });

  test("an API that refuses every token is not asked for ever", async () => {
    await within("machine:1", async (session) => {
      orders.refuseAll = true;
      try {
        const replies = [];
        for (let count = 0; count < 4; count += 1) replies.push(await session.call("list_orders"));
        expect(replies.map(({ json }) => json.error)).toEqual(Array(4).fill("upstream_unauthorized"));
        for (const { text } of replies) expectClean(text, orders);
      } finally {
        orders.refuseAll = false;
      }
      // One with the first token, one more after its renewal, and then no renewal for a while.
      expect([granted.length, orders.log.length]).toEqual([2, 5]);
    });
  });

  test("an operation that asks for no credential gets none", async () => {
    await within("machine:1", async (session) => {
      expect((await session.call("open_door")).json).toEqual({ credential: null });
      expect(granted).toEqual([]);
    });
  });

  test("nothing that the API says back gives a token or a secret away", async () => {
    await within("machine:1", async (session) => {
      for (const status of [200, 400, 403, 500]) {
        const { text } = await session.call("echo", { status });
        expect(text).toContain("***");
        expectClean(text, orders);
      }
    });
    for (const more of [[], ["--raw"], ["--dry-run"]]) {
      const { stdout, stderr } = await vitrine(["call", CURATION, "echo", ...more], { env: env("machine:1") });
      expect(stdout).toContain("***");
      expectClean(stdout + stderr, orders);
    }
  });

  test("--dry-run asks for no token", async () => {
    const { stdout } = await vitrine(["call", CURATION, "list_orders", "--dry-run"], { env: env("machine:1") });
    expect(JSON.parse(stdout)).toMatchObject([{ headers: { authorization: "Bearer ***" } }]);
    expect([granted, orders.log]).toEqual([[], []]);
  });

  test("a wrong secret is the operator's to hear of, without the secret", async () => {
    const wrong = { ORDERS_SECRET: "canary-wrong" };
    const { code, stdout, stderr } = await vitrine(["call", CURATION, "list_orders"], { env: env("machine:1", wrong) });
    expect([code, JSON.parse(stdout)]).toMatchObject([1, { error: "upstream_unauthorized", retryable: false }]);
    expect(stderr).toMatch(
      /The token endpoint at 127\.0\.0\.1:\d+ answered 401 invalid_client \(client authentication failed\)/,
    );
    expect(stdout + stderr).not.toContain("canary");
    expect(stdout).not.toMatch(/127\.0\.0\.1|invalid_client/);
    expect(orders.log).toEqual([]);
  });
});

describe("a token endpoint that gives away what it hears", () => {
  let endpoint: TokenEndpoint;
  let orders: Orders;
  beforeAll(async () => {
    endpoint = await openTokenEndpoint();
    orders = await openOrders(async () => ({ scope: "orders:read" }));
  });
  afterAll(async () => {
    await orders?.close();
    await endpoint?.close();
  });
  const call = () =>
    vitrine(["call", CURATION, "list_orders"], {
      env: { ORDERS_URL: orders.url, ORDERS_TOKENS: endpoint.tokenUrl, ORDERS_ID: "machine:1", ORDERS_SECRET: SECRET },
    });

  test("is not repeated", async () => {
    endpoint.answer = (response, request, count) => {
      const said = `You sent ${request.headers.authorization} ${request.form}, that is ${SECRET}`;
      json({ error: "invalid_client", error_description: said }, 401)(response, request, count);
    };
    const { code, stdout, stderr } = await call();
    expect([code, JSON.parse(stdout).error]).toEqual([1, "upstream_unauthorized"]);
    expect(stderr).toContain("You sent");
    expectClean(stdout + stderr, orders);
  });

  test("with a token of another type does not see it used, and nobody hears it", async () => {
    endpoint.answer = tokens({ access_token: "canary-token-of-another-type", token_type: "DPoP" });
    const { stdout, stderr } = await call();
    expect(stdout + stderr).not.toContain("canary-token");
    expect(orders.log).toEqual([]);
  });

  test("and is down for a moment says when to call again", async () => {
    endpoint.answer = json({}, 503);
    const { stdout, stderr } = await call();
    expect(JSON.parse(stdout)).toMatchObject({ error: "upstream_unavailable", retryable: true });
    expect(stderr).toContain("answered 503");
  });
});
