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
export function explainNoToken(error: unknown, host: string): unknown {
  const refused = nameCause(error, host);
  if (refused === undefined) return error;
  if (refused.mayPass) {
    const message = "This server could not sign in at the API: its token endpoint gave no answer that can be used.";
    const recover = "Call again in a moment; if it fails again, tell the user that the API is unavailable.";
    return new ToolError("upstream_unavailable", { message, recover, retryable: true }, { cause: refused });
  }
  const message = "This server could not sign in at the API: it was given no access token.";
  const recover =
    "Do not call again: the operator of this server must check its credential for the API. Tell the user so.";
  return new ToolError("upstream_unauthorized", { message, recover, retryable: false }, { cause: refused });
}

function nameCause(error: unknown, host: string): TokenRefused | undefined {
  if (error instanceof TokenRefused) return error;
  const refused = (what: string, mayPass: boolean) =>
    new TokenRefused(`The token endpoint at ${host} ${what}.`, mayPass, { cause: error });
  if (error instanceof UpstreamUnreachable) return refused("gave no answer", error.reason !== "tls");
  if (error instanceof UpstreamMalformed) return refused("sent what is not HTTP", false);
  if (error instanceof BodyTooLarge) return refused("sent more than a token", false);
  if (error instanceof DestinationBlocked) return refused("leads to where this server may not go", false);
  return undefined;
}
