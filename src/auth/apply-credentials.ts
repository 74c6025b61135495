import type { ClientCredentials, ResolvedCredential, TokenExchange, UpstreamRequest } from "../model/exchange.ts";

/** A credential that is sent as it stands. */
export type PlainCredential = Exclude<ResolvedCredential, ClientCredentials | TokenExchange>;
type Kind = PlainCredential["kind"];
type Applier<K extends Kind> = (
  request: UpstreamRequest,
  credential: Extract<PlainCredential, { readonly kind: K }>,
) => UpstreamRequest;

/** To add an auth scheme: one kind in `ResolvedCredential`, one line here. */
const APPLIERS: { readonly [K in Kind]: Applier<K> } = {
  apiKey: (request, { in: place, name, value }) => KEY_PLACES[place](request, name, value),
  bearer: (request, { token }) => addHeader(request, "authorization", `Bearer ${token}`),
  // RFC 7617 2.1: UTF-8, then base64.
  basic: (request, { username, password }) =>
    addHeader(request, "authorization", `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`),
  mutualTLS: (request) => request,
};

const KEY_PLACES = {
  header: addHeader,
  query: addQuery,
  cookie: addCookie,
} as const;

/** Lays all of the credentials onto a request. What it already carries under the same name stays as it is. */
export function applyCredentials(request: UpstreamRequest, credentials: readonly PlainCredential[]): UpstreamRequest {
  return credentials.reduce(applyCredential, request);
}

function applyCredential(request: UpstreamRequest, credential: PlainCredential): UpstreamRequest {
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
    queryKeys: [...(request.queryKeys ?? []), [name, value]],
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
