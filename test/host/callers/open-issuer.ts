import type { ServerResponse } from "node:http";
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from "jose";
import { type Served, serve } from "../../egress/serve.ts";

export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly jwk: JWK;
}

export interface TestIssuer extends Served {
  readonly issuer: string;
  /** Paths that were asked for, in order. */
  readonly heard: string[];
  /** What the issuer publishes. */
  keys: SigningKey[];
  /** Answers in place of the issuer; true where it did. */
  instead: ((path: string, response: ServerResponse) => boolean) | undefined;
  /** A token of the first key with these claims over good ones (undefined: without it). */
  sign(claims?: Claims, header?: Record<string, unknown>, key?: SigningKey): Promise<string>;
}

type Claims = { readonly [name: string]: unknown };

export const NOW = new Date("2026-11-30T12:00:00Z");
export const seconds = (offset: number): number => NOW.getTime() / 1000 + offset;
export const PUBLIC_URL = "https://tools.example.com";

export async function makeSigningKey(kid: string, alg = "ES256"): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, publicKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: "sig" } };
}

/** An authorization server on loopback that publishes what it is told to and signs anything. */
export async function openIssuer(path = ""): Promise<TestIssuer> {
  const heard: string[] = [];
  const served = await serve((request, response) => {
    const url = request.url ?? "";
    heard.push(url);
    if (issuer.instead?.(url, response)) return;
    if (url === `/.well-known/oauth-authorization-server${path}`)
      return sendJson(response, { issuer: issuer.issuer, jwks_uri: `${served.url}/jwks` });
    if (url === "/jwks") return sendJson(response, { keys: issuer.keys.map(({ jwk }) => jwk) });
    sendJson(response, {}, 404);
  });
  const issuer: TestIssuer = {
    ...served,
    issuer: `${served.url}${path}`,
    heard,
    keys: [await makeSigningKey("first")],
    instead: undefined,
    sign: (claims = {}, header = {}, key = issuer.keys[0]!) =>
      new SignJWT({ ...goodClaims(issuer.issuer), ...claims } as JWTPayload)
        .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: "at+jwt", ...header })
        .sign(key.privateKey),
  };
  return issuer;
}

export const goodClaims = (issuer: string) => ({
  iss: issuer,
  sub: "alice",
  aud: `${PUBLIC_URL}/mcp/ledger`,
  exp: seconds(300),
  iat: seconds(-10),
  jti: "token-1",
  client_id: "chat",
  scope: "tools:read tools:write",
  tenant_id: "t-1",
});

export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
