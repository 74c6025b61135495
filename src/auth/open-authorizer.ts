import type { SchemeUse } from "../model/api.ts";
import type { Ending } from "../model/ending.ts";
import type { AuthorizedRequest, ResolvedCredential, UpstreamRequest } from "../model/exchange.ts";
import { applyCredentials, type PlainCredential } from "./apply-credentials.ts";
import { chooseCredentials } from "./choose-credentials.ts";
import { explainNoSubject } from "./explain-no-token.ts";
import type { TokenSending } from "./fetch-token.ts";
import { type HeldToken, openTokens } from "./open-tokens.ts";

/** What a token that must be fetched first is fetched with. */
export interface Authorizing extends TokenSending {
  /** Ends the wait of this one request; a token that others wait for as well is fetched all the same. */
  readonly signal: Ending;
  /** The caller's own token, to be exchanged (RFC 8693). */
  readonly subjectToken?: string;
}

/**
 * Lays the credentials that an operation asks for onto a request (see `chooseCredentials`), fetching an access token where one of them is
 * client credentials or the exchange of the caller's own. Throws ToolError `upstream_unauthorized` or `upstream_unavailable` where none could be
 * had, and the signal's reason.
 */
export type Authorize = (
  request: UpstreamRequest,
  security: readonly (readonly SchemeUse[])[],
  credentials: ReadonlyMap<string, ResolvedCredential>,
  authorizing: Authorizing,
) => Promise<AuthorizedRequest>;

const MOST_CALLERS = 10_000;

/** An `Authorize` that keeps the access tokens it fetched. `now` gives milliseconds of a clock that never goes back. */
export function openAuthorizer(now: () => number = () => performance.now()): Authorize {
  const tokens = openTokens(now);
  // Apart, so that many callers do not push out what all of them need.
  const exchanged = openTokens(now, MOST_CALLERS);
  return async (request, security, credentials, authorizing) => {
    const chosen = chooseCredentials(security, credentials);
    const ready = chosen.map(({ credential }) => credential).filter(isPlain);
    // Mostly there is nothing to wait for.
    if (ready.length === chosen.length) return { request: applyCredentials(request, ready), secrets: [] };
    const held: HeldToken[] = [];
    const plain = await Promise.all(
      chosen.map(async ({ credential, scopes }) => {
        if (isPlain(credential)) return credential;
        const grant = { ...credential, scopes: credential.scopes ?? scopes };
        const token =
          credential.kind === "tokenExchange"
            ? await exchanged.take({ ...grant, subjectToken: subjectOf(authorizing) }, authorizing)
            : await tokens.take(grant, authorizing);
        held.push(token);
        return { kind: "bearer", token: token.value } as const;
      }),
    );
    const authorized = applyCredentials(request, plain);
    return {
      request: authorized,
      // The caller's own token is none of them: it went to the token endpoint alone, whose words are shown to nobody.
      secrets: held.map(({ value }) => value),
      refused: () => held.map((token) => token.refused()).some((mayDo) => mayDo),
    };
  };
}

function isPlain(credential: ResolvedCredential): credential is PlainCredential {
  return !("tokenUrl" in credential);
}

function subjectOf({ subjectToken }: Authorizing): string {
  if (subjectToken === undefined) throw explainNoSubject();
  return subjectToken;
}
