import { createServer } from "node:http";
import { exportJWK, generateKeyPair } from "jose";
import Provider from "oidc-provider";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listen, type Served } from "../../egress/serve.ts";
import { hostFile, oauthOf, openTestDoor, type TestDoor } from "./door.ts";
import { PUBLIC_URL } from "./open-issuer.ts";

describe("with a real authorization server", () => {
  let served: Served;
  let door: TestDoor;

  beforeAll(async () => {
    let provider: Provider | undefined;
    served = await listen(createServer((request, response) => provider?.callback()(request, response)));
    const { privateKey } = await generateKeyPair("RS256", { extractable: true });
    const client = {
      client_secret: "s3cret",
      grant_types: ["client_credentials"],
      redirect_uris: [],
      response_types: [],
    };
    provider = new Provider(served.url, {
      clients: [{ ...client, client_id: "chat" }],
      jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: "RS256", use: "sig", kid: "one" }] },
      scopes: ["tools:read", "tools:write"],
      extraTokenClaims: () => ({ tenant_id: "t-7" }),
      features: {
        clientCredentials: { enabled: true },
        devInteractions: { enabled: false },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: (_: unknown, resource: string) => ({
            scope: "tools:read tools:write",
            audience: resource,
            accessTokenTTL: 600,
            // One of the two is an opaque token, which only the server itself could look up.
            accessTokenFormat: resource.endsWith("/people") ? "opaque" : "jwt",
          }),
        },
      },
    });
    door = openTestDoor(hostFile([], oauthOf(served.url, { scopes: ["tools:read"] })));
  });
  afterAll(async () => {
    await door?.close();
    await served?.close();
  });

  async function getToken(server: string, scope: string): Promise<string> {
    const body = new URLSearchParams({
      grant_type: "client_credentials",
      scope,
      resource: `${PUBLIC_URL}/mcp/${server}`,
    });
    const authorization = `Basic ${Buffer.from("chat:s3cret").toString("base64")}`;
    const response = await fetch(`${served.url}/token`, { method: "POST", headers: { authorization }, body });
    const answer = (await response.json()) as { access_token?: string };
    return answer.access_token ?? JSON.stringify(answer);
  }

  test("its tokens are good at the server that they are for, with the scopes that they have", async () => {
    const now = new Date();
    const both = await getToken("ledger", "tools:read tools:write");
    expect(await door.show(both, "ledger", now)).toMatchObject({
      kind: "token",
      writes: true,
      claims: { tenantID: "t-7" },
    });
    expect(await door.show(both, "people", now)).toMatchObject({ status: 401 });
    const reads = await getToken("ledger", "tools:read");
    expect(await door.show(reads, "ledger", now)).toMatchObject({ kind: "token", writes: false });
    expect(await door.show(await getToken("ledger", "tools:write"), "ledger", now)).toMatchObject({ status: 403 });
  });

  test("its tokens end, and those that say nothing are not good", async () => {
    const token = await getToken("ledger", "tools:read");
    expect(await door.show(token, "ledger", new Date(Date.now() + 620_000))).toMatchObject({ kind: "token" });
    expect(await door.show(token, "ledger", new Date(Date.now() + 640_000))).toMatchObject({ status: 401 });
    const opaque = await getToken("people", "tools:read");
    expect(opaque).toMatch(/^[\w-]{20,}$/);
    expect(await door.show(opaque, "people", new Date())).toMatchObject({ status: 401 });
  });
});
