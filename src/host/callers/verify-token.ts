import { errors, type JWTPayload, type JWTVerifyOptions, type JWTVerifyResult, jwtVerify } from "jose";
import type { OauthEntry } from "../hosting.ts";
import type { Issuer, KeySet } from "./issuer/open-issuer.ts";

export type TokenAnswer =
  | { readonly kind: "claims"; readonly claims: TokenClaims; readonly keys: KeySet }
  /** `why` is for the operator: a word, never anything of the token. */
  | { readonly kind: "invalid"; readonly why: string }
  /** The issuer's keys cannot be had. */
  | { readonly kind: "no-keys" };

export interface TokenClaims extends JWTPayload {
  readonly iss: string;
  readonly sub: string;
  readonly exp: number;
}

export interface Expected extends Pick<OauthEntry, "issuer" | "severalAudiences" | "plainJwt"> {
  /** The resource, exactly. */
  readonly audience: string;
  readonly now: Date;
}

/** Only what the issuer alone can sign: neither `none` nor a shared secret. */
const ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];
export const SKEW_S = 30;
/** Tokens that do not say which key signed them are tried against so many. */
const MOST_TRIED = 4;

/** Verifies a JWT access token (RFC 9068 4): signature, type, issuer, audience and times. */
export async function verifyToken(token: string, expected: Expected, issuer: Issuer): Promise<TokenAnswer> {
  const keys = await issuer.keys();
  if (keys === undefined) return { kind: "no-keys" };
  const answer = await verifyBy(keys, token, expected);
  if (answer.kind !== "invalid" || answer.why !== "key") return answer;
  const newer = await issuer.newer(keys);
  return newer === undefined ? answer : verifyBy(newer, token, expected);
}

async function verifyBy(keys: KeySet, token: string, expected: Expected): Promise<TokenAnswer> {
  const options: JWTVerifyOptions = {
    algorithms: ALGORITHMS,
    issuer: expected.issuer,
    audience: expected.audience,
    // RFC 9068 4; `findFault` looks at the type where there are two.
    ...(!expected.plainJwt && { typ: "at+jwt" }),
    requiredClaims: ["exp", "sub"],
    clockTolerance: SKEW_S,
    currentDate: expected.now,
  };
  try {
    const { payload, protectedHeader } = await tryKeys(keys, token, options);
    const why = findFault(payload, protectedHeader.typ, expected);
    return why === undefined ? { kind: "claims", claims: payload as TokenClaims, keys } : { kind: "invalid", why };
  } catch (error) {
    return { kind: "invalid", why: nameFault(error) };
  }
}

async function tryKeys(keys: KeySet, token: string, options: JWTVerifyOptions): Promise<JWTVerifyResult> {
  try {
    return await jwtVerify(token, keys.find, options);
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    let tried = 0;
    for await (const key of error) {
      try {
        return await jwtVerify(token, key, options);
      } catch (one) {
        tried += 1;
        if (!(one instanceof errors.JWSSignatureVerificationFailed) || tried === MOST_TRIED) throw one;
      }
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}

function findFault(payload: JWTPayload, typ: unknown, expected: Expected): string | undefined {
  const { aud, sub, iat } = payload;
  const { now, severalAudiences, plainJwt } = expected;
  if (plainJwt && !isAccessToken(typ, payload)) return "claim typ";
  // A token that is good at several resources can be shown here by each of them.
  if (Array.isArray(aud) && aud.length !== 1 && !severalAudiences) return "audience";
  if (typeof sub !== "string" || sub === "") return "subject";
  if (iat !== undefined && iat > now.getTime() / 1000 + SKEW_S) return "issued in the future";
  return undefined;
}

/** What only ID tokens and logout tokens say (OpenID Connect Core 3.1.3.6, 3.3.2.11, Back-Channel Logout 2.4), and Keycloak's word for the first. */
const OF_OTHERS = ["at_hash", "c_hash", "events"];

/** Where the type is that of any token, one is taken for an access token that is not plainly another. */
function isAccessToken(typ: unknown, payload: JWTPayload): boolean {
  const type = typeof typ === "string" ? typ.toLowerCase().replace(/^application\//, "") : "";
  if (type === "at+jwt") return true;
  return type === "jwt" && payload["typ"] !== "ID" && !OF_OTHERS.some((name) => Object.hasOwn(payload, name));
}

function nameFault(error: unknown): string {
  if (error instanceof errors.JWTExpired) return "expired";
  if (error instanceof errors.JWTClaimValidationFailed) return `claim ${error.claim}`;
  if (error instanceof errors.JWKSNoMatchingKey) return "key";
  if (error instanceof errors.JOSEAlgNotAllowed) return "algorithm";
  if (error instanceof errors.JWSSignatureVerificationFailed) return "signature";
  return "malformed";
}
