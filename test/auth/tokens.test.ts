import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Authorize, openAuthorizer } from "../../src/auth/open-authorizer.ts";
import { type Egress, openEgress } from "../../src/egress/open-egress.ts";
import { ToolError } from "../../src/model/errors.ts";
import type { ClientCredentials, UpstreamRequest } from "../../src/model/exchange.ts";
import { drip, freePort, serveBytes } from "../egress/serve.ts";
import { json, openTokenEndpoint, type TokenEndpoint, tokens } from "./token-endpoint.ts";

const SECRET = "canary s3cret:/+%~";
const request: UpstreamRequest = { operation: "GET /s", method: "GET", url: "https://h/s", headers: [], safe: true };

let endpoint: TokenEndpoint;
let egress: Egress;
let clock: number;
let authorize: Authorize;
beforeEach(async () => {
  endpoint = await openTokenEndpoint();
  egress = openEgress({ trustedHosts: ["127.0.0.1"], allowPrivate: [] });
  clock = 1_000;
  authorize = openAuthorizer(() => clock);
});
afterEach(async () => {
  await egress.close();
  await endpoint.close();
});

interface Asked {
  readonly client?: Partial<ClientCredentials>;
  readonly scopes?: readonly string[];
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

async function ask({ client = {}, scopes = [], signal, timeoutMs = 5_000 }: Asked = {}) {
  const credential: ClientCredentials = {
    kind: "clientCredentials",
    tokenUrl: endpoint.tokenUrl,
    clientId: "client:1",
    clientSecret: SECRET,
    ...client,
  };
  return authorize(request, [[{ scheme: "o", scopes }]], new Map([["o", credential]]), {
    egress,
    signal: signal ?? new AbortController().signal,
    timeoutMs,
  });
}
const header = async (asked?: Asked) =>
  (await ask(asked)).request.headers.find(([name]) => name === "authorization")?.[1];

async function failure(asked?: Asked): Promise<{ error: ToolError; cause: string }> {
  const error = await ask(asked).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ToolError);
  const { message, detail, cause } = error as ToolError;
  expect(JSON.stringify([message, detail])).not.toMatch(/127\.0\.0\.1|canary|client:1/);
  return { error: error as ToolError, cause: String((cause as Error).message) };
}

describe("a token is asked for", () => {
  test("with the client in the header, form-encoded, and laid on as Bearer", async () => {
    expect(await header()).toBe("Bearer token-1");
    const [heard] = endpoint.heard;
    const [scheme, pair] = String(heard?.headers.authorization).split(" ");
    expect([scheme, Buffer.from(String(pair), "base64").toString()]).toEqual([
      "Basic",
      "client%3A1:canary+s3cret%3A%2F%2B%25%7E",
    ]);
    expect(heard).toMatchObject({
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
    });
    expect([...(heard?.form ?? [])]).toEqual([["grant_type", "client_credentials"]]);
  });

  test("and is told as a secret", async () => {
    expect((await ask()).secrets).toEqual(["token-1"]);
  });

  const scopes: [string, Asked, string | null, string | null][] = [
    ["those of the operation", { scopes: ["a", "b"] }, "a b", null],
    ["those of the curation before them", { scopes: ["a"], client: { scopes: ["c"] } }, "c", null],
    ["none at all where the curation says so", { scopes: ["a"], client: { scopes: [] } }, null, null],
    ["with an audience", { client: { audience: "https://api" } }, null, "https://api"],
  ];
  test.each(scopes)("for scopes: %s", async (_title, asked, scope, audience) => {
    await ask(asked);
    const form = endpoint.heard[0]!.form;
    expect([form.get("scope"), form.get("audience")]).toEqual([scope, audience]);
  });

  const unknown: [string, TokenEndpoint["answer"]][] = [
    ["401 invalid_client", json({ error: "invalid_client" }, 401)],
    ["400 invalid_client", json({ error: "invalid_client" }, 400)],
    ["400 invalid_request, where it looks in the body alone", json({ error: "invalid_request" }, 400)],
    ["a bare 401", (response) => response.writeHead(401).end()],
  ];
  test.each(unknown)("with the client in the body after %s, and from then on at once", async (_title, refuse) => {
    endpoint.answer = (response, one, count) => (one.headers.authorization ? refuse : tokens())(response, one, count);
    expect(await header()).toBe("Bearer token-2");
    expect(endpoint.heard[1]!.form.get("client_secret")).toBe(SECRET);
    expect(endpoint.heard[1]!.headers.authorization).toBeUndefined();
    clock += 3_600_000;
    expect(await header()).toBe("Bearer token-3");
    expect(endpoint.heard).toHaveLength(3);
  });

  test("again over a new connection where the other side had closed the kept one", async () => {
    let connections = 0;
    const flaky = await serveBytes((socket) => {
      connections += 1;
      if (connections === 1) return void socket.resetAndDestroy();
      const body = '{"access_token":"t","token_type":"bearer"}';
      socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    });
    expect(await header({ client: { tokenUrl: flaky.url } })).toBe("Bearer t");
    await flaky.close();
  });
});

test.each([
  ["left out", {}],
  ["null", { token_type: null }],
  ["in small letters", { token_type: "bearer" }],
  ["the token's format", { token_type: "JWT" }],
])("a token whose type is %s is a bearer token", async (_title, more) => {
  endpoint.answer = json({ access_token: "t", ...more });
  expect(await header()).toBe("Bearer t");
});

describe("a token is kept", () => {
  test("and fetched once for fifty calls at once", async () => {
    const all = await Promise.all(Array.from({ length: 50 }, () => header()));
    expect(new Set(all)).toEqual(new Set(["Bearer token-1"]));
    expect(endpoint.heard).toHaveLength(1);
  });

  test("by token endpoint, client and scopes, whatever their order", async () => {
    await Promise.all([
      ask({ scopes: ["a", "b"] }),
      ask({ scopes: ["b", "a"] }),
      ask({ scopes: ["a"] }),
      ask({ client: { clientId: "other" } }),
      ask({ client: { clientSecret: "other" } }),
      ask({ client: { tokenUrl: `${endpoint.url}/other` } }),
    ]);
    expect(endpoint.heard).toHaveLength(5);
  });

  const lives: [string, unknown, keptMs: number, renewedMs: number][] = [
    ["an hour: renewed half a minute before its end", 3600, 3_569_000, 3_570_000],
    ["as text", "3600", 3_569_000, 3_570_000],
    ["ten seconds: renewed two seconds before its end", 10, 7_900, 8_000],
    ["not said: five minutes", undefined, 269_000, 270_000],
    ["nonsense: five minutes", "soon", 269_000, 270_000],
  ];
  test.each(lives)("for as long as it holds: %s", async (_title, expiresIn, keptMs, renewedMs) => {
    endpoint.answer = tokens({ expires_in: expiresIn });
    await ask();
    clock = 1_000 + keptMs;
    expect(await header()).toBe("Bearer token-1");
    clock = 1_000 + renewedMs;
    expect(await header()).toBe("Bearer token-2");
  });

  test("to its very end where no other can be had", async () => {
    await ask();
    endpoint.answer = json({}, 503);
    clock += 3_599_000;
    expect(await header()).toBe("Bearer token-1");
    clock += 1_000;
    expect((await failure()).error.code).toBe("upstream_unavailable");
  });

  test("although the one who asked first goes away", async () => {
    const first = new AbortController();
    let respond = () => {};
    endpoint.answer = (response, one, count) => {
      respond = () => tokens()(response, one, count);
      first.abort(new Error("gone"));
    };
    const [gone, stayed] = [ask({ signal: first.signal }), header()];
    await expect(gone).rejects.toThrow("gone");
    respond();
    expect(await stayed).toBe("Bearer token-1");
    expect(endpoint.heard).toHaveLength(1);
  });
});

describe("after a 401 of the upstream", () => {
  test("a kept token is renewed, once for all who used it", async () => {
    await ask();
    const both = await Promise.all([ask(), ask()]);
    expect(both.map(({ refused }) => refused?.())).toEqual([true, true]);
    expect(await Promise.all([header(), header()])).toEqual(["Bearer token-2", "Bearer token-2"]);
    expect(endpoint.heard).toHaveLength(2);
  });

  test("one that was fetched for this very request is not", async () => {
    expect((await ask()).refused?.()).toBe(false);
    expect(await header()).toBe("Bearer token-1");
  });

  test("and another of the fresh one, renewing rests for half a minute", async () => {
    await ask();
    expect((await ask()).refused?.()).toBe(true);
    expect((await ask()).refused?.()).toBe(false);
    clock += 29_000;
    expect((await ask()).refused?.()).toBe(false);
    clock += 2_000;
    expect((await ask()).refused?.()).toBe(true);
    expect(endpoint.heard).toHaveLength(2);
  });

  test("where the credential is no token, nothing can be done", async () => {
    const key = { kind: "bearer", token: "t" } as const;
    const authorized = await authorize(request, [[{ scheme: "o", scopes: [] }]], new Map([["o", key]]), {
      egress,
      signal: new AbortController().signal,
      timeoutMs: 1,
    });
    expect(authorized.refused).toBeUndefined();
  });
});

describe("a token endpoint that fails", () => {
  const html: TokenEndpoint["answer"] = (response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    response.end("<html>Sign in</html>");
  };
  const good = { access_token: "t", token_type: "Bearer" };
  const cases: [string, TokenEndpoint["answer"], code: string, cause: RegExp, asked: number][] = [
    ["500", json({ error: "server_error" }, 500), "upstream_unavailable", /answered 500 server_error\.$/, 1],
    [
      "503 with a page",
      (response) => response.writeHead(503).end("down"),
      "upstream_unavailable",
      /answered 503 with/,
      1,
    ],
    ["429", json({}, 429), "upstream_unavailable", /answered 429/, 1],
    ["silence", () => {}, "upstream_unavailable", /took longer than 200 ms/, 1],
    ["a page", html, "upstream_unauthorized", /answered 200 with text\/html and no JSON object/, 1],
    ["a list", json([good]), "upstream_unauthorized", /no JSON object/, 1],
    ["no token", json({ token_type: "Bearer" }), "upstream_unauthorized", /without an access_token/, 1],
    ["another type of token", json({ ...good, token_type: "mac" }), "upstream_unauthorized", /not Bearer: mac\.$/, 1],
    ["a type that is no word", json({ ...good, token_type: ["Bearer"] }), "upstream_unauthorized", /not Bearer\.$/, 1],
    [
      "a token that breaks the header",
      json({ ...good, access_token: "a\r\nb" }),
      "upstream_unauthorized",
      /no header/,
      1,
    ],
    [
      "more than 64 kB",
      json({ ...good, more: "x".repeat(64_000) }),
      "upstream_unauthorized",
      /sent more than a token/,
      1,
    ],
    [
      "a redirect",
      (response) => response.writeHead(302, { location: "/elsewhere" }).end(),
      "upstream_unauthorized",
      /was redirected \(302\) to \/elsewhere, which is not followed with a POST\.$/,
      1,
    ],
    [
      "a client that it does not know, either way",
      json({ error: "invalid_client", error_description: "Client\r\nauthentication failed" }, 401),
      "upstream_unauthorized",
      /answered 401 invalid_client \(Client authentication failed\)\.$/,
      2,
    ],
    [
      "a scope that it refuses",
      json({ error: "invalid_scope" }, 400),
      "upstream_unauthorized",
      /400 invalid_scope\.$/,
      1,
    ],
    [
      "an error code that is none",
      json({ error: "<b>\n" }, 403),
      "upstream_unauthorized",
      /403 without an error code\.$/,
      1,
    ],
  ];
  test.each(cases)("%s", async (_title, answer, code, cause, asked) => {
    endpoint.answer = answer;
    const failed = await failure({ timeoutMs: 200 });
    expect([failed.error.code, failed.error.detail.retryable]).toEqual([code, code === "upstream_unavailable"]);
    expect(failed.cause).toMatch(cause);
    expect(endpoint.heard).toHaveLength(asked);
  });

  test("that drips for ever, within its time", async () => {
    const slow = await serveBytes((socket) => drip(socket, 'HTTP/1.1 200 OK\r\n\r\n{"access', " "));
    const failed = await failure({ client: { tokenUrl: slow.url }, timeoutMs: 200 });
    expect([failed.error.code, failed.cause]).toEqual(["upstream_unavailable", expect.stringMatching(/took longer/)]);
    await slow.close();
  });

  test("where nothing listens", async () => {
    const failed = await failure({ client: { tokenUrl: `http://127.0.0.1:${await freePort()}` } });
    expect([failed.error.code, failed.cause]).toEqual([
      "upstream_unavailable",
      expect.stringMatching(/gave no answer/),
    ]);
  });

  test("at an address that may not be reached", async () => {
    const failed = await failure({ client: { tokenUrl: "http://169.254.169.254/token" } });
    expect(failed.error.code).toBe("upstream_unauthorized");
    expect(failed.cause).toMatch(/leads to where this server may not go/);
  });

  test("once, is asked again by the next call", async () => {
    endpoint.answer = json({}, 500);
    await failure();
    endpoint.answer = tokens();
    expect(await header()).toBe("Bearer token-2");
  });

  test("for fifty calls at once, is asked once", async () => {
    endpoint.answer = json({}, 500);
    await Promise.all(Array.from({ length: 50 }, () => failure()));
    expect(endpoint.heard).toHaveLength(1);
  });
});
