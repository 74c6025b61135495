import type { SchemeUse } from "../model/api.ts";
import type { AuthorizedRequest, ResolvedCredential, UpstreamRequest } from "../model/exchange.ts";
import { applyCredentials } from "./apply-credentials.ts";
import { chooseCredentials } from "./choose-credentials.ts";
import type { TokenSending } from "./fetch-token.ts";
import { type HeldToken, openTokens } from "./open-tokens.ts";

/** What a token that must be fetched first is fetched with. */
export interface Authorizing extends TokenSending {
  /** Ends the wait of this one request; a token that others wait for as well is fetched all the same. */
  readonly signal: AbortSignal;
}

/**
 * Lays the credentials that an operation asks for onto a request (see `chooseCredentials`), fetching an access token where one of them is
 * client credentials. Throws ToolError `upstream_unauthorized` or `upstream_unavailable` where none could be had, and the signal's reason.
 */
export type Authorize = (
  request: UpstreamRequest,
  security: readonly (readonly SchemeUse[])[],
  credentials: ReadonlyMap<string, ResolvedCredential>,
  authorizing: Authorizing,
) => Promise<AuthorizedRequest>;

/** An `Authorize` that keeps the access tokens it fetched. `now` gives milliseconds of a clock that never goes back. */
export function openAuthorizer(now: () => number = () => performance.now()): Authorize {
  const tokens = openTokens(now);
  return async (request, security, credentials, authorizing) => {
    const held: HeldToken[] = [];
    const plain = await Promise.all(
      chooseCredentials(security, credentials).map(async ({ credential, scopes }) => {
        if (credential.kind !== "clientCredentials") return credential;
        const token = await tokens.take({ ...credential, scopes: credential.scopes ?? scopes }, authorizing);
        held.push(token);
        return { kind: "bearer", token: token.value } as const;
      }),
    );
    const authorized = applyCredentials(request, plain);
    if (held.length === 0) return { request: authorized, secrets: [] };
    return {
      request: authorized,
      secrets: held.map(({ value }) => value),
      refused: () => held.map((token) => token.refused()).some((mayDo) => mayDo),
    };
  };
}
