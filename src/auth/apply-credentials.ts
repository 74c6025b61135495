import type { SchemeUse } from "../model/api.ts";
import type { ResolvedCredential, UpstreamRequest } from "../model/exchange.ts";

type Kind = ResolvedCredential["kind"];
type Applier<K extends Kind> = (
  request: UpstreamRequest,
  credential: Extract<ResolvedCredential, { readonly kind: K }>,
) => UpstreamRequest;

/** To add an auth scheme: one kind in `ResolvedCredential`, one line here. */
const APPLIERS: { readonly [K in Kind]: Applier<K> } = {
  apiKey: (request, { in: place, name, value }) => KEY_PLACES[place](request, name, value),
  bearer: (request, { token }) => addHeader(request, "authorization", `Bearer ${token}`),
  // RFC 7617 2.1: UTF-8, then base64.
  basic: (request, { username, password }) =>
    addHeader(request, "authorization", `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`),
};

const KEY_PLACES = {
  header: addHeader,
  query: addQuery,
  cookie: addCookie,
} as const;

/**
 * Lays credentials onto a request: those of the first alternative in `security` that names schemes and can be met whole, else the credential
 * `default`, else none (what an alternative without schemes allows). What the request already carries under the same name stays as it is.
 */
export function applyCredentials(
  request: UpstreamRequest,
  security: readonly (readonly SchemeUse[])[],
  credentials: ReadonlyMap<string, ResolvedCredential>,
): UpstreamRequest {
  return chooseCredentials(security, credentials).reduce(applyCredential, request);
}

function chooseCredentials(
  security: readonly (readonly SchemeUse[])[],
  credentials: ReadonlyMap<string, ResolvedCredential>,
): readonly ResolvedCredential[] {
  for (const alternative of security) {
    const chosen = alternative.flatMap(({ scheme }) => credentials.get(scheme) ?? []);
    // `{}` beside other alternatives says that a key is welcome and not needed: with one at hand it is used.
    if (chosen.length > 0 && chosen.length === alternative.length) return chosen;
  }
  const fallback = credentials.get("default");
  return fallback === undefined ? [] : [fallback];
}

function applyCredential(request: UpstreamRequest, credential: ResolvedCredential): UpstreamRequest {
  const apply = APPLIERS[credential.kind] as Applier<Kind>;
  return apply(request, credential as never);
}

function addHeader(request: UpstreamRequest, name: string, value: string): UpstreamRequest {
  const wanted = name.toLowerCase();
  if (request.headers.some(([present]) => present === wanted)) return request;
  return { ...request, headers: [...request.headers, [wanted, value]] };
}

function addQuery(request: UpstreamRequest, name: string, value: string): UpstreamRequest {
  const url = new URL(request.url);
  if (url.searchParams.has(name)) return request;
  // Not by searchParams: that would write the rest of the query anew, in another spelling.
  const pair = `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
  return {
    ...request,
    url: `${request.url}${request.url.includes("?") ? (url.search === "" ? "" : "&") : "?"}${pair}`,
  };
}

// RFC 6265 4.1.1: everything else in a token goes as it is, since who issued it compares it so.
const NO_COOKIE_OCTET = /[^\x21\x23-\x2B\x2D-\x3A\x3C-\x5B\x5D-\x7E]+/g;

function addCookie(request: UpstreamRequest, name: string, value: string): UpstreamRequest {
  const pair = `${name}=${value.replace(NO_COOKIE_OCTET, encodeURIComponent)}`;
  const cookie = request.headers.find(([present]) => present === "cookie")?.[1];
  if (cookie === undefined) return addHeader(request, "cookie", pair);
  if (cookie.split(";").some((part) => part.trim().startsWith(`${name}=`))) return request;
  const others = request.headers.filter(([present]) => present !== "cookie");
  return { ...request, headers: [...others, ["cookie", `${cookie}; ${pair}`]] };
}
