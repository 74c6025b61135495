import {
  BodyTooLarge,
  DestinationBlocked,
  TokenRefused,
  ToolError,
  UpstreamMalformed,
  UpstreamUnreachable,
} from "../model/errors.ts";

/**
 * The tool error of a token that could not be had. The agent hears that much and no more; the `cause`, a `TokenRefused`, tells the operator.
 * What is no failure of the token endpoint comes back as it is.
 */
export function explainNoToken(error: unknown, host: string, isExchange = false): unknown {
  const refused = nameCause(error, host);
  if (refused === undefined) return error;
  if (refused.mayPass) {
    const message = "This server could not sign in at the API: its token endpoint gave no answer that can be used.";
    const recover = "Call again in a moment; if it fails again, tell the user that the API is unavailable.";
    return new ToolError("upstream_unavailable", { message, recover, retryable: true }, { cause: refused });
  }
  if (isExchange && SUBJECTS_FAULT.has(refused.error ?? "")) return refuseSubject(refused);
  const message = "This server could not sign in at the API: it was given no access token that it can use.";
  const recover =
    "Do not call again: the operator of this server must check its credential for the API. Tell the user so.";
  return new ToolError("upstream_unauthorized", { message, recover, retryable: false }, { cause: refused });
}

/** RFC 8693 2.2.2, RFC 6749 5.2. Other codes speak of the client, which is the operator's. */
const SUBJECTS_FAULT: ReadonlySet<string> = new Set([
  "invalid_request",
  "invalid_grant",
  "invalid_target",
  "access_denied",
]);

/** The endpoint does not exchange the token of this caller: for others it may. */
function refuseSubject(refused: TokenRefused): ToolError {
  const message = "The user has no access to this API: it gave no access token in exchange for the user's own.";
  const recover = "Do not call again. Tell the user to sign in anew, and to ask the operator where that does not help.";
  return new ToolError("upstream_unauthorized", { message, recover, retryable: false }, { cause: refused });
}

/** The API is called on behalf of a user, and no token of a user is there. */
export function explainNoSubject(): ToolError {
  const message =
    "This API is called on behalf of a user (tokenExchange), and there is no access token of the user: only a hosted server with `oauth` has one.";
  const recover = "Do not call again: tell the user that this server must be reached at its hosted URL, signed in.";
  return new ToolError("upstream_unauthorized", { message, recover, retryable: false });
}

function nameCause(error: unknown, host: string): TokenRefused | undefined {
  if (error instanceof TokenRefused) return error;
  const refused = (what: string, mayPass: boolean) =>
    new TokenRefused(`The token endpoint at ${host} ${what}.`, mayPass, { cause: error });
  if (error instanceof UpstreamUnreachable) return refused("gave no answer", error.reason !== "tls");
  if (error instanceof UpstreamMalformed)
    return refused(`sent what cannot be read${error.told === undefined ? "" : `: ${error.told}`}`, false);
  if (error instanceof BodyTooLarge) return refused("sent more than a token", false);
  if (error instanceof DestinationBlocked) return refused(error.told ?? "leads to where this server may not go", false);
  return undefined;
}
