import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Authorize, openAuthorizer } from "../../src/auth/open-authorizer.ts";
import { type Egress, openEgress } from "../../src/egress/open-egress.ts";
import { ToolError } from "../../src/model/errors.ts";
import type { ResolvedCredential, TokenExchange, UpstreamRequest } from "../../src/model/exchange.ts";
import { json, openTokenEndpoint, type TokenEndpoint, tokens } from "./token-endpoint.ts";

const ALICE = "alice.canary-subject.token";
const BOB = "bob.canary-subject.token";
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

async function ask(
  subjectToken: string | undefined,
  more: Partial<TokenExchange> = {},
  scopes: readonly string[] = [],
) {
  const credential: ResolvedCredential = { kind: "tokenExchange", tokenUrl: endpoint.tokenUrl, ...more };
  return authorize(request, [[{ scheme: "o", scopes }]], new Map([["o", credential]]), {
    egress,
    signal: new AbortController().signal,
    timeoutMs: 5_000,
    ...(subjectToken !== undefined && { subjectToken }),
  });
}
const header = async (...asked: Parameters<typeof ask>) =>
  (await ask(...asked)).request.headers.find(([name]) => name === "authorization")?.[1];

async function failure(...asked: Parameters<typeof ask>): Promise<{ error: ToolError; cause: string }> {
  const error = await ask(...asked).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ToolError);
  const { message, detail, cause } = error as ToolError;
  expect(JSON.stringify([message, detail, String(cause)])).not.toContain("canary");
  return { error: error as ToolError, cause: cause instanceof Error ? cause.message : "" };
}

const EXCHANGE: readonly [string, string][] = [
  ["grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"],
  ["subject_token_type", "urn:ietf:params:oauth:token-type:access_token"],
  ["requested_token_type", "urn:ietf:params:oauth:token-type:access_token"],
  ["subject_token", ALICE],
];

describe("a caller's token is exchanged", () => {
  test.each<readonly [string, Partial<TokenExchange>, readonly string[], readonly [string, string][], string]>([
    ["without a client where none is asked for", {}, [], [], ""],
    ["by a client without a secret", { clientId: "c" }, [], [["client_id", "c"]], ""],
    ["by a client in the header", { clientId: "c:1", clientSecret: "s" }, [], [], "c%3A1:s"],
    ["for the scopes of the operation", {}, ["read", "list"], [["scope", "read list"]], ""],
    ["for the scopes of the curation", { scopes: ["all"] }, ["read"], [["scope", "all"]], ""],
    [
      "for an audience and a resource",
      { audience: "api", resource: "https://api.example.com/" },
      [],
      [
        ["audience", "api"],
        ["resource", "https://api.example.com/"],
      ],
      "",
    ],
  ])("%s", async (_, more, scopes, fields, client) => {
    expect(await header(ALICE, more, scopes)).toBe("Bearer token-1");
    const [heard] = endpoint.heard;
    expect([...(heard?.form ?? [])]).toEqual([...EXCHANGE, ...fields]);
    const shown = heard?.headers.authorization?.replace("Basic ", "") ?? "";
    expect(Buffer.from(shown, "base64").toString()).toBe(client);
  });

  test("and is laid on nothing itself: the other one is, as a secret", async () => {
    const authorized = await ask(ALICE);
    expect(JSON.stringify(authorized.request)).not.toContain("canary");
    expect(authorized.secrets).toEqual(["token-1"]);
  });

  test("once for all calls of a caller, and apart for each caller and each set of scopes", async () => {
    const all = await Promise.all(Array.from({ length: 30 }, (_, n) => header(n % 2 === 0 ? ALICE : BOB)));
    expect(endpoint.heard).toHaveLength(2);
    const of = new Map(endpoint.heard.map(({ form }, n) => [form.get("subject_token"), `Bearer token-${n + 1}`]));
    expect(all).toEqual(all.map((_, n) => of.get(n % 2 === 0 ? ALICE : BOB)));
    expect(await header(ALICE, {}, ["read"])).toBe("Bearer token-3");
    expect(await header(ALICE, { audience: "other" })).toBe("Bearer token-4");
    expect(await header(ALICE, { resource: "https://r" })).toBe("Bearer token-5");
    expect(await header(ALICE)).toBe(of.get(ALICE));
  });

  test("anew shortly before the other one ends", async () => {
    endpoint.answer = tokens({ expires_in: 100 });
    await header(ALICE);
    clock += 79_999;
    expect(await header(ALICE)).toBe("Bearer token-1");
    clock += 2;
    expect(await header(ALICE)).toBe("Bearer token-2");
  });

  test("anew where the API does not take the other one", async () => {
    await ask(ALICE);
    const second = await ask(ALICE);
    expect(second.refused?.()).toBe(true);
    expect(await header(ALICE)).toBe("Bearer token-2");
  });

  test("also where the endpoint looks for its client in the body", async () => {
    endpoint.answer = (response, heard, count) =>
      heard.form.has("client_secret")
        ? tokens()(response, heard, count)
        : json({ error: "invalid_client" }, 401)(response, heard, count);
    expect(await header(ALICE, { clientId: "c", clientSecret: "s" })).toBe("Bearer token-2");
    expect(endpoint.heard[1]?.form.get("subject_token")).toBe(ALICE);
  });
});

describe("a token that is not exchanged", () => {
  test.each<readonly [string, TokenEndpoint["answer"], string, RegExp, RegExp]>([
    [
      "it is refused",
      json({ error: "invalid_grant" }, 400),
      "upstream_unauthorized",
      /user has no access/,
      /400 invalid_grant/,
    ],
    [
      "it may not have the audience",
      json({ error: "invalid_target" }, 400),
      "upstream_unauthorized",
      /user has no access/,
      /invalid_target/,
    ],
    [
      "the client is not known",
      json({ error: "invalid_client" }, 401),
      "upstream_unauthorized",
      /could not sign in/,
      /invalid_client/,
    ],
    [
      "the endpoint exchanges none",
      json({ error: "unsupported_grant_type" }, 400),
      "upstream_unauthorized",
      /could not sign in/,
      /unsupported_grant_type/,
    ],
    ["the endpoint fails", json({}, 503), "upstream_unavailable", /could not sign in/, /503/],
    [
      "the endpoint says it back in its error",
      json({ error: "invalid_request", error_description: `Bad token: ${ALICE}` }, 400),
      "upstream_unauthorized",
      /user has no access/,
      /400 invalid_request\.$/,
    ],
    [
      "the endpoint gives it back",
      json({ access_token: ALICE, token_type: "Bearer" }),
      "upstream_unauthorized",
      /could not sign in/,
      /the very token that was to be exchanged/,
    ],
    [
      "the endpoint gives what is no access token",
      json({ access_token: "x", token_type: "N_A", issued_token_type: "urn:ietf:params:oauth:token-type:id_token" }),
      "upstream_unauthorized",
      /could not sign in/,
      /not Bearer/,
    ],
  ])("is told as what it is: %s", async (_, answer, code, message, cause) => {
    endpoint.answer = answer;
    const failed = await failure(ALICE);
    expect(failed.error.code).toBe(code);
    expect(failed.error.message).toMatch(message);
    expect(failed.cause).toMatch(cause);
  });

  test("is no token at all, where the server knows no callers: nothing is sent, and it is said what is missing", async () => {
    const { error } = await failure(undefined);
    expect(error).toMatchObject({
      code: "upstream_unauthorized",
      message: expect.stringContaining("no access token of the user"),
    });
    expect(endpoint.heard).toEqual([]);
  });

  test("costs no other caller anything", async () => {
    endpoint.answer = (response, heard, count) =>
      heard.form.get("subject_token") === BOB
        ? json({ error: "invalid_grant" }, 400)(response, heard, count)
        : tokens()(response, heard, count);
    await header(ALICE);
    await failure(BOB);
    expect(await header(ALICE)).toBe("Bearer token-1");
  });
});
