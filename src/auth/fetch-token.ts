import { createHash } from "node:crypto";
import type { Egress } from "../egress/open-egress.ts";
import { TokenRefused, UpstreamUnreachable } from "../model/errors.ts";
import { readAnswer, readToken, type TokenAnswer } from "./read-token.ts";

/** A token of these scopes is asked for: by a client for itself (RFC 6749 4.4.2), or for a caller whose own token is exchanged (RFC 8693 2.1). */
export interface TokenGrant {
  readonly tokenUrl: string;
  /** Absent where the endpoint asks for no client. */
  readonly clientId?: string;
  /** Absent for a client without one (RFC 6749 2.1, public). */
  readonly clientSecret?: string;
  readonly scopes: readonly string[];
  readonly audience?: string;
  readonly resource?: string;
  /** The caller's own token. */
  readonly subjectToken?: string;
}

export interface TokenSending {
  readonly egress: Egress;
  /** The longest that the token endpoint may take, in milliseconds. */
  readonly timeoutMs: number;
}

/** Times are in milliseconds of the clock that was given. */
export interface Token {
  readonly value: string;
  /** From then on the next call fetches another. */
  readonly renewAt: number;
  readonly expiresAt: number;
}

/** How a client says who it is: `client_secret_basic` or `client_secret_post`. */
export type ClientWay = "basic" | "post";

/** Where the endpoint does not say how long a token holds. */
const DEFAULT_LIFE_MS = 300_000;
const MOST_EARLY_MS = 30_000;
const MOST_BYTES = 64_000;
const ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token";
const OWN = { grant_type: "client_credentials" };
const EXCHANGE = {
  grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
  subject_token_type: ACCESS_TOKEN,
  requested_token_type: ACCESS_TOKEN,
};

/**
 * Fetches an access token. The client authenticates by HTTP Basic, which every server has to take (RFC 6749 2.3.1); where the server does not
 * know the client so, once more in the body, which many take alone, or spell the secret in. `known` is what worked before. Throws `TokenRefused`
 * for an answer without a usable token, and what egress throws.
 */
export async function fetchToken(
  grant: TokenGrant,
  known: ClientWay | undefined,
  sending: TokenSending,
  now: () => number,
): Promise<{ readonly token: Token; readonly way: ClientWay }> {
  const startedAt = now();
  const way = known ?? (grant.clientSecret === undefined ? "post" : "basic");
  const answer = await ask(grant, way, sending);
  const mayRetry = known === undefined && way === "basic" && isClientUnknown(answer);
  const last = mayRetry ? await ask(grant, "post", sending) : answer;
  return { token: makeToken(grant, last, startedAt), way: mayRetry ? "post" : way };
}

function makeToken({ subjectToken }: TokenGrant, answer: TokenAnswer, startedAt: number): Token {
  const { value, lifeMs = DEFAULT_LIFE_MS } = readToken(answer, subjectToken);
  const expiresAt = startedAt + lifeMs;
  return { value, expiresAt, renewAt: expiresAt - Math.min(MOST_EARLY_MS, lifeMs / 5) };
}

// RFC 6749 5.2 says `invalid_client`; servers that look for the client in the body alone miss a parameter.
function isClientUnknown({ status, error }: TokenAnswer): boolean {
  return (
    (status === 400 || status === 401) &&
    (error === undefined ? status === 401 : /^invalid_(client|request)$/.test(error))
  );
}

async function ask(grant: TokenGrant, way: ClientWay, sending: TokenSending): Promise<TokenAnswer> {
  try {
    return await askOnce(grant, way, sending);
  } catch (error) {
    // A kept connection may have been closed by the other side while it was idle; asking for a token twice does no harm.
    if (error instanceof UpstreamUnreachable && error.reason === "reset") return askOnce(grant, way, sending);
    throw error;
  }
}

async function askOnce(grant: TokenGrant, way: ClientWay, { egress, timeoutMs }: TokenSending): Promise<TokenAnswer> {
  const { tokenUrl, clientId = "", clientSecret = "" } = grant;
  const { host } = new URL(tokenUrl);
  const late = new TokenRefused(`The token endpoint at ${host} took longer than ${timeoutMs} ms.`, true);
  const clock = new AbortController();
  const timer = setTimeout(() => clock.abort(late), timeoutMs);
  try {
    const reply = await egress.request({
      method: "POST",
      url: tokenUrl,
      headers: [
        ["accept", "application/json"],
        ["content-type", "application/x-www-form-urlencoded"],
        ...(way === "basic" ? [["authorization", basicHeader(clientId, clientSecret)] as const] : []),
      ],
      body: writeBody(grant, way),
      signal: clock.signal,
      pool: poolOf(grant),
      maxBytes: MOST_BYTES,
      redirects: [],
    });
    return await readAnswer(reply, host);
  } finally {
    clearTimeout(timer);
  }
}

/** What came over a connection for one caller is never met by another. */
function poolOf({ clientId, clientSecret, subjectToken }: TokenGrant): string {
  return createHash("sha256")
    .update(JSON.stringify([clientId ?? null, clientSecret ?? null, subjectToken ?? null]))
    .digest("base64url");
}

function writeBody(grant: TokenGrant, way: ClientWay): string {
  const { scopes, audience, resource, clientId, clientSecret, subjectToken } = grant;
  const fields = new URLSearchParams(subjectToken === undefined ? OWN : { ...EXCHANGE, subject_token: subjectToken });
  if (scopes.length > 0) fields.set("scope", scopes.join(" "));
  if (audience !== undefined) fields.set("audience", audience);
  if (resource !== undefined) fields.set("resource", resource);
  if (way === "post" && clientId !== undefined) fields.set("client_id", clientId);
  if (way === "post" && clientSecret !== undefined) fields.set("client_secret", clientSecret);
  return fields.toString();
}

// RFC 6749 2.3.1: both parts are form-encoded first.
function basicHeader(clientId: string, clientSecret: string): string {
  return `Basic ${Buffer.from(`${formEncode(clientId)}:${formEncode(clientSecret)}`).toString("base64")}`;
}

function formEncode(text: string): string {
  return new URLSearchParams({ "": text }).toString().slice(1);
}
