import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describeResource } from "../../../src/host/callers/describe-resource.ts";
import type { Lacking } from "../../../src/host/callers/say-lacking.ts";
import type { OauthEntry, VerifiedCaller } from "../../../src/host/hosting.ts";
import { giveKey, header, hostFile, oauthOf, openTestDoor } from "./door.ts";
import { openIssuer, PUBLIC_URL, type TestIssuer } from "./open-issuer.ts";

const METADATA = `${PUBLIC_URL}/.well-known/oauth-protected-resource/mcp/ledger`;
let issuer: TestIssuer;
beforeAll(async () => {
  issuer = await openIssuer();
});
afterAll(() => issuer?.close());

/** What the door says to a token with these claims, or to nothing. */
async function challengeOf(claims: object | undefined, more: Partial<OauthEntry>) {
  const door = openTestDoor(hostFile([], oauthOf(issuer.issuer, more)));
  const answer = claims === undefined ? await door.ask(undefined) : await door.show(await issuer.sign({ ...claims }));
  await door.close();
  return answer;
}

describe("a challenge", () => {
  test.each<readonly [string, object | undefined, Partial<OauthEntry>, number, string]>([
    [
      "of nothing shown has no error, and every scope",
      undefined,
      { scopes: ["a", "b"] },
      401,
      `Bearer resource_metadata="${METADATA}", scope="a b tools:write"`,
    ],
    [
      "names the write scope once",
      undefined,
      { scopes: ["tools:write"] },
      401,
      `Bearer resource_metadata="${METADATA}", scope="tools:write"`,
    ],
    [
      "of a bad token is the same with an error",
      { aud: "x" },
      { scopes: ["a"] },
      401,
      `Bearer resource_metadata="${METADATA}", error="invalid_token", error_description="It is expired, malformed, not known, or for another resource.", scope="a tools:write"`,
    ],
    [
      "of a token without a scope names all that are needed",
      { scope: "a" },
      { scopes: ["a", "b"] },
      403,
      `Bearer resource_metadata="${METADATA}", error="insufficient_scope", scope="a b"`,
    ],
    [
      "of a token that may write keeps that",
      { scope: "tools:write" },
      { scopes: ["a"] },
      403,
      `Bearer resource_metadata="${METADATA}", error="insufficient_scope", scope="a tools:write"`,
    ],
    [
      "of a token without any scope",
      { scope: undefined },
      { scopes: ["a"] },
      403,
      `Bearer resource_metadata="${METADATA}", error="insufficient_scope", scope="a"`,
    ],
  ])("%s", async (_, claims, more, status, want) => {
    const answer = await challengeOf(claims, more);
    expect(answer).toMatchObject({ kind: "refused", status, code: -32000 });
    expect(header(answer, "www-authenticate")).toBe(want);
  });

  test("has no scope where none makes a difference", async () => {
    const door = openTestDoor(hostFile([], { issuer: issuer.issuer, claims: new Map(), scopes: [] }));
    expect(header(await door.ask(undefined), "www-authenticate")).toBe(`Bearer resource_metadata="${METADATA}"`);
    await door.close();
  });

  test("cannot be written into by the name of a server", async () => {
    const door = openTestDoor(hostFile([], oauthOf(issuer.issuer)));
    const answer = await door.ask(undefined, 'x", error="y\r\nset-cookie: a=b');
    expect(header(answer, "www-authenticate")).toMatch(/^Bearer resource_metadata="[^"\s]+", scope="tools:write"$/);
    await door.close();
  });
});

describe("scopes of a token", () => {
  test.each<readonly [string, object, readonly string[], boolean | number]>([
    ["may write with the scope", {}, [], true],
    ["only reads without it", { scope: "tools:read" }, [], false],
    ["only reads with a longer one", { scope: "tools:write:none xtools:write" }, [], false],
    ["may be in a list", { scope: ["tools:write", "a"] }, ["a"], true],
    ["may be in `scp`", { scope: undefined, scp: ["tools:write", "a"] }, ["a"], true],
    ["may be words in `scp`", { scope: undefined, scp: "a" }, ["a"], false],
    ["are not read out of an object", { scope: { "tools:write": true } }, ["tools:write"], 403],
    ["are all needed", { scope: "a b" }, ["a", "b", "c"], 403],
    ["are compared in their own letters", { scope: "A" }, ["a"], 403],
  ])("%s", async (_, claims, scopes, want) => {
    const answer = await challengeOf(claims, { scopes });
    expect(answer.kind === "refused" ? answer.status : answer.writes).toBe(want);
  });

  test("without a write scope in the file, no caller writes", async () => {
    const door = openTestDoor(hostFile([], { issuer: issuer.issuer, claims: new Map(), scopes: [] }));
    expect(((await door.show(await issuer.sign())) as VerifiedCaller).writes).toBe(false);
    await door.close();
  });
});

describe("the metadata of a server", () => {
  test("are what RFC 9728 says, at the URL that the challenge names", () => {
    const file = hostFile([], oauthOf("https://id.example.com", { scopes: ["a"] }));
    expect(describeResource(file, "ledger", "Technology spend")).toStrictEqual({
      resource: `${PUBLIC_URL}/mcp/ledger`,
      authorization_servers: ["https://id.example.com"],
      bearer_methods_supported: ["header"],
      scopes_supported: ["a", "tools:write"],
      resource_name: "Technology spend",
    });
  });

  test("do not exist for a server that does not, nor where no tokens are taken", () => {
    expect(describeResource(hostFile([], oauthOf("https://id.example.com")), "nowhere")).toBeUndefined();
    expect(describeResource(hostFile([]), "ledger")).toBeUndefined();
  });

  test("stand between host and path where the public URL has a path", async () => {
    const file = { ...hostFile([], oauthOf(issuer.issuer)), publicUrl: `${PUBLIC_URL}/agents` };
    const door = openTestDoor(file);
    expect(header(await door.ask(undefined), "www-authenticate")).toContain(
      `resource_metadata="${PUBLIC_URL}/.well-known/oauth-protected-resource/agents/mcp/ledger"`,
    );
    expect(describeResource(file, "ledger")).toMatchObject({ resource: `${PUBLIC_URL}/agents/mcp/ledger` });
    expect(await door.show(await issuer.sign())).toMatchObject({ status: 401 });
    expect(await door.show(await issuer.sign({ aud: `${PUBLIC_URL}/agents/mcp/ledger` }))).toMatchObject({
      kind: "token",
    });
    await door.close();
  });
});

describe("while nobody knows who was revoked", () => {
  test("nobody is let in, and nobody is called a stranger who is none", async () => {
    const key = giveKey();
    const door = openTestDoor(hostFile([key.entry], oauthOf(issuer.issuer)), { checkRevoked: () => "unknown" });
    const [byKey, byToken] = [await door.show(key.key), await door.show(await issuer.sign())];
    for (const answer of [byKey, byToken]) {
      expect(answer).toMatchObject({ kind: "refused", status: 503, code: 1503 });
      expect(header(answer, "retry-after")).toBe("5");
    }
    expect(await door.show("vtr_nobody")).toMatchObject({ status: 401 });
    await door.close();
  });
});

describe("what a caller lacks", () => {
  const key = giveKey({ claims: {} });
  const nothing: Lacking = { claims: [], token: false };

  test("is said at the door, by the name that whoever made the key knows", async () => {
    const file = hostFile([key.entry], oauthOf(issuer.issuer));
    const door = openTestDoor(file, { lacking: () => () => ({ claims: ["region", "tenantID"], token: false }) });
    const [byKey, byToken] = [await door.show(key.key), await door.show(await issuer.sign())];
    expect(byKey).toStrictEqual({
      kind: "refused",
      status: 403,
      code: -32000,
      headers: [],
      message: "The key is good, but lacks what this server needs: the claims `region`, `tenantID`.",
    });
    expect(byToken).toMatchObject({
      status: 403,
      headers: [],
      message:
        "The access token is good, but lacks what this server needs: the claims `region`, `tenantID` (read from `tenant_id`).",
    });
    expect(door.reasons).toEqual(["claims missing", "claims missing"]);
    await door.close();
  });

  test("is a user's token where the API is called on the user's behalf", async () => {
    const door = openTestDoor(hostFile([key.entry]), { lacking: () => () => ({ claims: [], token: true }) });
    expect(await door.show(key.key)).toMatchObject({
      status: 403,
      message: expect.stringContaining("an API key is none"),
    });
  });

  test("is not told to who has no access, and is asked for once a curation", async () => {
    let asked = 0;
    const first = (): Lacking => {
      asked += 1;
      return nothing;
    };
    let now: (() => Lacking) | undefined = first;
    const door = openTestDoor(hostFile([key.entry]), { lacking: () => now });
    await door.show("vtr_nobody");
    expect(asked).toBe(0);
    for (let n = 0; n < 3; n += 1) expect(await door.show(key.key)).toMatchObject({ kind: "key" });
    expect(asked).toBe(1);
    now = () => ({ claims: ["tenantID"], token: false });
    expect(await door.show(key.key)).toMatchObject({ status: 403 });
    expect(await door.show(key.key)).toMatchObject({ status: 403 });
    now = undefined;
    expect(await door.show(key.key)).toMatchObject({ kind: "key" });
  });
});
