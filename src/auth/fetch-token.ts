import type { Egress } from "../egress/open-egress.ts";
import { TokenRefused, UpstreamUnreachable } from "../model/errors.ts";
import { readAnswer, readToken, type TokenAnswer } from "./read-token.ts";

/** A client that asks for a token of these scopes (RFC 6749 4.4.2). */
export interface TokenGrant {
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: readonly string[];
  readonly audience?: string;
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
  const way = known ?? "basic";
  const answer = await ask(grant, way, sending);
  if (known !== undefined || !isClientUnknown(answer)) return { token: makeToken(answer, startedAt), way };
  return { token: makeToken(await ask(grant, "post", sending), startedAt), way: "post" };
}

function makeToken(answer: TokenAnswer, startedAt: number): Token {
  const { value, lifeMs = DEFAULT_LIFE_MS } = readToken(answer);
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
  const { tokenUrl, clientId, clientSecret } = grant;
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
      maxBytes: MOST_BYTES,
      redirects: [],
    });
    return await readAnswer(reply, host);
  } finally {
    clearTimeout(timer);
  }
}

function writeBody({ scopes, audience, clientId, clientSecret }: TokenGrant, way: ClientWay): string {
  const fields = new URLSearchParams({ grant_type: "client_credentials" });
  if (scopes.length > 0) fields.set("scope", scopes.join(" "));
  if (audience !== undefined) fields.set("audience", audience);
  if (way === "post") {
    fields.set("client_id", clientId);
    fields.set("client_secret", clientSecret);
  }
  return fields.toString();
}

// RFC 6749 2.3.1: both parts are form-encoded first.
function basicHeader(clientId: string, clientSecret: string): string {
  return `Basic ${Buffer.from(`${formEncode(clientId)}:${formEncode(clientSecret)}`).toString("base64")}`;
}

function formEncode(text: string): string {
  return new URLSearchParams({ "": text }).toString().slice(1);
}
