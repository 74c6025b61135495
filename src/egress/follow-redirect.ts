import { DestinationBlocked } from "../model/errors.ts";
import type { EgressRequest, RawAnswer } from "./egress.ts";

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MOST_HOPS = 5;
const MOST_SHOWN = 200;

/** Headers that go along to another origin: a key may sit in any other. */
const HARMLESS = new Set(["accept", "user-agent"]);

/**
 * The request that a redirect asks for, or undefined where the answer is no redirect. Credentials never leave the first origin, and do not
 * come back once left. Throws `DestinationBlocked` for a redirect that is not allowed.
 */
export function nextRequest(
  first: EgressRequest,
  request: EgressRequest,
  answer: RawAnswer,
  hops: number,
): EgressRequest | undefined {
  const location = answer.headers.get("location");
  if (location === undefined || !REDIRECTS.has(answer.status)) return undefined;
  answer.done(false);
  const from = new URL(request.url);
  const blocked = (why: string) => blockRedirect(answer.status, location, from, why);
  if (request.method !== "GET" && request.method !== "HEAD")
    throw blocked(`which is not followed with a ${request.method}`);
  if (hops === MOST_HOPS) throw blocked(`which is not followed after ${MOST_HOPS} others`);
  if (!URL.canParse(location, from.href)) throw blocked("which is no URL");
  const to = new URL(location, from);
  to.hash = "";
  if (to.origin === from.origin) return { ...request, url: addQueryKeys(to, request.queryKeys ?? []) };
  if (!isListed(to, first.redirects)) throw blocked("a host that this server does not follow to");
  if (from.protocol === "https:" && to.protocol !== "https:") throw blocked("which is not encrypted");
  const { queryKeys, ...left } = request;
  return {
    ...left,
    url: dropQueryKeys(to, first.queryKeys ?? []),
    headers: request.headers.filter(([name]) => HARMLESS.has(name.toLowerCase())),
    anonymous: true,
  };
}

/** A query may hold keys, as may what stands before a host. A path may too, and is only for the reply, where keys are hidden; the API's own host is not told there. */
function blockRedirect(status: number, location: string, from: URL, why: string): DestinationBlocked {
  const to = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  const host = to === undefined ? "an address" : `${to.protocol}//${to.host}`;
  const place = `${to?.origin === from.origin ? "" : host}${to?.pathname ?? ""}`;
  const told = `was redirected (${status}) to ${place.slice(0, MOST_SHOWN)}, ${why}`;
  return new DestinationBlocked(`A request to ${from.host} was redirected (${status}) to ${host}, ${why}.`, told);
}

/** A server says where to go and leaves out what only its clients know. */
function addQueryKeys(to: URL, keys: NonNullable<EgressRequest["queryKeys"]>): string {
  const missing = keys.filter(([name]) => !to.searchParams.has(name));
  const pairs = missing.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  if (pairs.length > 0) to.search = [to.search.slice(1), ...pairs].filter((part) => part !== "").join("&");
  return to.href;
}

/** A server that copies the whole query into its `Location` gives our key away. */
function dropQueryKeys(to: URL, keys: NonNullable<EgressRequest["queryKeys"]>): string {
  const isKey = (pair: string) =>
    [...new URLSearchParams(pair)].some(([, value]) => keys.some(([, secret]) => value === secret));
  const pairs = to.search.slice(1).split("&");
  if (pairs.some(isKey)) to.search = pairs.filter((pair) => !isKey(pair)).join("&");
  return to.href;
}

function isListed(url: URL, hosts: readonly string[]): boolean {
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return hosts.some((host) => {
    const listed = host.toLowerCase();
    return listed === url.hostname || listed === `${url.hostname}:${port}`;
  });
}
