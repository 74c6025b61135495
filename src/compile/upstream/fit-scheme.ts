import type { SecurityScheme } from "../../model/api.ts";

export type CredentialKind = "apiKey" | "bearer" | "basic" | "clientCredentials" | "tokenExchange";

/** IANA's HTTP authentication schemes whose header is made anew for every request, from a challenge or a signature. */
const CHALLENGED: ReadonlySet<string> = new Set([
  "digest",
  "negotiate",
  "ntlm",
  "hoba",
  "mutual",
  "scram-sha-1",
  "scram-sha-256",
  "dpop",
  "gnap",
  "concealed",
  "privatetoken",
  "vapid",
]);

/** Whether a credential of this kind can be what a scheme of the spec asks for. `hasPlace`: a key that says itself where it goes. */
export function fitsScheme(kind: CredentialKind, scheme: SecurityScheme | undefined, hasPlace: boolean): boolean {
  if (scheme !== undefined && isChallenged(scheme)) return false;
  // Its own place is the author's word, also against the spec's.
  if (hasPlace) return scheme?.type !== "mutualTLS";
  if (scheme === undefined) return kind !== "apiKey";
  switch (scheme.type) {
    case "apiKey":
      // Swagger 2.0 has no other way to write a bearer token.
      return kind === "apiKey" || isAuthorization(scheme);
    case "http":
      if (scheme.scheme === "bearer") return isBearer(kind);
      return scheme.scheme === "basic" && kind === "basic";
    case "oauth2":
    case "openIdConnect":
      return isBearer(kind);
    case "mutualTLS":
      return false;
    default:
      return scheme satisfies never;
  }
}

/** Sent as a bearer token, wherever it comes from. */
function isBearer(kind: CredentialKind): boolean {
  return kind === "bearer" || kind === "clientCredentials" || kind === "tokenExchange";
}

export function isChallenged(scheme: SecurityScheme): boolean {
  return scheme.type === "http" && CHALLENGED.has(scheme.scheme);
}

function isAuthorization(scheme: Extract<SecurityScheme, { type: "apiKey" }>): boolean {
  return scheme.in === "header" && scheme.name.toLowerCase() === "authorization";
}

export function nameOfScheme(scheme: SecurityScheme): string {
  return scheme.type === "http" ? `http ${scheme.scheme}` : scheme.type;
}

/** What to write for a scheme. */
export function hintOfScheme(scheme: SecurityScheme | undefined): string {
  if (scheme === undefined) return "Write apiKey: { value: …, in: header, name: … }.";
  switch (scheme.type) {
    case "apiKey":
      return isAuthorization(scheme) ? "Write `apiKey` (the whole header), `bearer` or `basic`." : "Write `apiKey`.";
    case "oauth2":
    case "openIdConnect":
      return "Write `bearer`, `clientCredentials` or `tokenExchange`.";
    case "mutualTLS":
      return "Write the certificate under `api.tls`.";
    case "http":
      if (scheme.scheme === "basic" || scheme.scheme === "bearer") return `Write \`${scheme.scheme}\`.`;
      return isChallenged(scheme)
        ? "No credential of the curation can meet it: use another scheme of the API, or a proxy that speaks this one."
        : "Write the whole header as apiKey: { value, in: header, name: Authorization }.";
    default:
      return scheme satisfies never;
  }
}
