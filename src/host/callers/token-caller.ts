import { createHash } from "node:crypto";
import type { Json } from "../../model/json.ts";
import type { OauthEntry, VerifiedCaller } from "../hosting.ts";
import { SKEW_S, type TokenClaims } from "./verify-token.ts";

/** The caller that a verified token speaks for. */
export function makeTokenCaller(token: string, claims: TokenClaims, server: string, oauth: OauthEntry): VerifiedCaller {
  const mapped = [...oauth.claims].flatMap(([name, of]): [string, Json][] =>
    Object.hasOwn(claims, of) ? [[name, claims[of] as Json]] : [],
  );
  return {
    kind: "token",
    id: subjectId(claims),
    server,
    claims: Object.fromEntries(mapped),
    writes: oauth.writeScope !== undefined && readScopes(claims).has(oauth.writeScope),
    tags: {},
    credentials: [],
    subjectToken: token,
    expires: new Date((claims.exp + SKEW_S) * 1000),
  };
}

/** The same for every token of a subject; a colon stands in no name of a key. */
function subjectId({ iss, sub }: Pick<TokenClaims, "iss" | "sub">): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([iss, sub]))
    .digest("base64url");
  return `sub:${digest.slice(0, 22)}`;
}

/** RFC 8693 4.2 `scope`; some issuers write `scp`, and some a list. */
export function readScopes(claims: TokenClaims): ReadonlySet<string> {
  const value = claims["scope"] ?? claims["scp"];
  const words = typeof value === "string" ? value.split(" ") : Array.isArray(value) ? value : [];
  return new Set(words.filter((word): word is string => typeof word === "string" && word !== ""));
}
