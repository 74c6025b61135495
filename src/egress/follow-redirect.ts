import { DestinationBlocked } from "../model/errors.ts";
import type { EgressRequest, RawAnswer } from "./egress.ts";

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MOST_HOPS = 5;

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
  if (request.method !== "GET" && request.method !== "HEAD") {
    throw new DestinationBlocked(
      `A ${request.method} was answered with a redirect (${answer.status}), which is not followed.`,
    );
  }
  if (hops === MOST_HOPS) throw new DestinationBlocked(`More than ${MOST_HOPS} redirects.`);
  if (!URL.canParse(location, request.url)) throw new DestinationBlocked("A redirect leads to no URL.");
  const from = new URL(request.url);
  const to = new URL(location, from);
  to.hash = "";
  if (to.origin === from.origin) return { ...request, url: addQueryKeys(to, request.queryKeys ?? []) };
  if (!isListed(to, first.redirects) || (from.protocol === "https:" && to.protocol !== "https:")) {
    throw new DestinationBlocked(`A redirect leads to ${to.origin}, which is not allowed.`);
  }
  const { queryKeys, ...left } = request;
  return {
    ...left,
    url: dropQueryKeys(to, first.queryKeys ?? []),
    headers: request.headers.filter(([name]) => HARMLESS.has(name.toLowerCase())),
    anonymous: true,
  };
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
