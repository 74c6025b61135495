import { type Egress, type EgressPolicy, openEgress } from "../../egress/open-egress.ts";
import type { OauthEntry } from "../hosting.ts";
import { resourceUrl } from "./describe-resource.ts";
import type { Asked, CheckRevoked, Found } from "./found.ts";
import { type Issuer, openIssuer } from "./issuer/open-issuer.ts";
import { type KnownCaller, keepCallers } from "./keep-callers.ts";
import { makeTokenCaller, readScopes } from "./token-caller.ts";
import { verifyToken } from "./verify-token.ts";

export interface TokenCheckOptions {
  readonly checkRevoked: CheckRevoked;
  /** Told why the issuer's keys could not be fetched. */
  readonly issuerFailed: (error: unknown) => void;
  readonly openEgress?: (policy: EgressPolicy) => Egress;
  /** Milliseconds of a clock that never goes back. */
  readonly clock?: () => number;
}

export interface TokenCheck {
  /** Who shows this access token. */
  check(token: string, oauth: OauthEntry, asked: Asked): Promise<Found>;
  /** Asks for the issuer's keys before anybody waits for them. */
  prepare(oauth: OauthEntry): Promise<void>;
  close(): Promise<void>;
}

/** Checks access tokens of the issuer that the host file names; one that is good is verified once for as long as the issuer's keys stand. */
export function openTokenCheck(options: TokenCheckOptions): TokenCheck {
  const issuers = holdIssuer(options);
  const known = keepCallers();
  return {
    async check(token, oauth, asked) {
      const { file, server, now } = asked;
      const issuer = issuers.of(oauth);
      const keys = await issuer.keys();
      if (keys === undefined) return { kind: "no-keys" };
      const audience = resourceUrl(file, server);
      const found = known.find(token, { keys, oauth, audience }, now);
      if (found !== undefined) return judge(found, oauth, options.checkRevoked);
      const answer = await verifyToken(token, { ...oauth, audience, now }, issuer);
      if (answer.kind === "no-keys") return answer;
      if (answer.kind === "invalid") return { kind: "invalid", why: `token: ${answer.why}` };
      const { claims } = answer;
      const caller = makeTokenCaller(token, claims, server, oauth);
      const ids = [caller.id, ...(typeof claims.jti === "string" ? [`jti:${claims.jti}`] : [])];
      const one = { caller, scopes: readScopes(claims), ids, keys: answer.keys, oauth, audience };
      return judge(known.keep(token, one, now), oauth, options.checkRevoked);
    },
    prepare: async (oauth) => void (await issuers.of(oauth).keys()),
    close: () => issuers.close(),
  };
}

function judge({ caller, scopes, ids }: KnownCaller, oauth: OauthEntry, checkRevoked: CheckRevoked): Found {
  const standings = ids.map((id) => checkRevoked({ kind: "token", id }));
  if (standings.includes("revoked")) return { kind: "invalid", why: "token: revoked" };
  if (standings.includes("unknown")) return { kind: "no-revocations" };
  if (!oauth.scopes.every((scope) => scopes.has(scope))) return { kind: "scope", granted: scopes };
  return { kind: "caller", caller };
}

/** The issuer of the file, another one where another is named. */
function holdIssuer({
  openEgress: open = openEgress,
  clock = () => performance.now(),
  issuerFailed,
}: TokenCheckOptions) {
  let held: { readonly issuer: Issuer; readonly name: string; readonly egress: Egress } | undefined;
  return {
    of({ issuer: name }: OauthEntry): Issuer {
      if (held?.name === name) return held.issuer;
      held?.egress.close().catch(issuerFailed);
      // Whoever wrote the file named the issuer, so it may be in a private network; where its metadata lead may not.
      const { hostname, port, protocol } = new URL(name);
      const place = `${hostname}:${port || (protocol === "https:" ? "443" : "80")}`;
      const egress = open({ trustedHosts: [place], allowPrivate: [], allowHttp: false });
      held = { issuer: openIssuer({ issuer: name, egress, clock, failed: issuerFailed }), name, egress };
      return held.issuer;
    },
    close: async () => {
      await held?.egress.close();
    },
  };
}
