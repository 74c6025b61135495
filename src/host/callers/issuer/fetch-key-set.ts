import type { JSONWebKeySet } from "jose";
import type { Egress } from "../../../egress/open-egress.ts";
import { isJsonObject, type JsonObject, ownValue } from "../../../model/json.ts";

const MOST_BYTES = 256_000;
const MOST_KEYS = 100;

/** The issuer's keys could not be had. The message is for the operator. */
export class IssuerUnreadable extends Error {
  readonly code = "ISSUER_UNREADABLE";
}

/** The public keys of an issuer, by way of its metadata. Throws `IssuerUnreadable`, what egress throws, and the signal's reason. */
export async function fetchKeySet(issuer: string, egress: Egress, signal: AbortSignal): Promise<JSONWebKeySet> {
  const url = await discoverKeys(issuer, egress, signal);
  const answer = await fetchObject(url, egress, signal);
  const keys = answer && ownValue(answer, "keys");
  if (!Array.isArray(keys) || keys.length > MOST_KEYS) throw new IssuerUnreadable(`No set of keys is at ${url}.`);
  // RFC 7517 5: keys that cannot be read are passed over. A shared secret is never used: it would be everybody's.
  const isPublic = (key: unknown): key is JsonObject =>
    isJsonObject(key) && key["kty"] !== "oct" && typeof key["kty"] === "string";
  return { keys: keys.filter(isPublic) } as unknown as JSONWebKeySet;
}

/** The `jwks_uri` of the first metadata document that there is, which must be the issuer's own (RFC 8414 3.3). */
async function discoverKeys(issuer: string, egress: Egress, signal: AbortSignal): Promise<string> {
  for (const url of metadataUrls(issuer)) {
    const metadata = await fetchObject(url, egress, signal);
    if (metadata === undefined) continue;
    if (ownValue(metadata, "issuer") !== issuer)
      throw new IssuerUnreadable(`The metadata at ${url} are of another issuer than ${issuer}.`);
    const keys = ownValue(metadata, "jwks_uri");
    if (typeof keys !== "string" || !URL.canParse(keys))
      throw new IssuerUnreadable(`The metadata at ${url} have no jwks_uri.`);
    // Keys that came in the clear could be anybody's; the issuer itself is http on this machine alone.
    if (new URL(keys).protocol !== "https:" && !issuer.startsWith("http:"))
      throw new IssuerUnreadable(`The jwks_uri of ${issuer} is not https.`);
    return keys;
  }
  throw new IssuerUnreadable(`${issuer} has no metadata (RFC 8414, OpenID Connect Discovery).`);
}

/** RFC 8414 3.1, then OpenID Connect Discovery 4.1. */
function metadataUrls(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, "");
  return [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
    ...(path === "" ? [] : [`${origin}/.well-known/openid-configuration${path}`]),
  ];
}

/** The JSON object of a good answer. */
async function fetchObject(url: string, egress: Egress, signal: AbortSignal): Promise<JsonObject | undefined> {
  const headers = [["accept", "application/json"]] as const;
  const reply = await egress.request({ method: "GET", url, headers, signal, maxBytes: MOST_BYTES, redirects: [] });
  const chunks: Uint8Array[] = [];
  for await (const chunk of reply.body) chunks.push(chunk);
  if (reply.status >= 500 || reply.status === 429) throw new IssuerUnreadable(`${url} answered ${reply.status}.`);
  if (reply.status !== 200) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
