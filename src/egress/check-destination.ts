import { lookup as systemLookup } from "node:dns/promises";
import ipaddr from "ipaddr.js";
import { DestinationBlocked } from "../model/errors.ts";
import type { EgressPolicy } from "./egress.ts";
import { type AddressBlock, isAddressAllowed } from "./judge-address.ts";
import { type Lookup, shareLookups } from "./share-lookups.ts";

/** An `EgressPolicy` made ready to be asked. */
export interface Destinations {
  readonly trustedHosts: ReadonlySet<string>;
  readonly allowPrivate: readonly AddressBlock[];
  readonly allowHttp: boolean;
  readonly lookup: Lookup;
  /** Scheme, host and port that were found good: what they are judged by does not change. Names are judged at each look-up all the same. */
  readonly goodOrigins: Set<string>;
}

const MOST_ORIGINS = 256;

/** Throws a RangeError where `allowPrivate` is not CIDR. */
export function readDestinations(policy: EgressPolicy): Destinations {
  return {
    trustedHosts: new Set(policy.trustedHosts.map((host) => host.toLowerCase())),
    allowPrivate: policy.allowPrivate.map(readBlock),
    allowHttp: policy.allowHttp ?? true,
    lookup: policy.lookup ?? lookupAll,
    goodOrigins: new Set(),
  };
}

/**
 * The URL, when its scheme, form and (where the host is an address in any spelling) address may be reached. Names are judged when they are
 * looked up. Throws `DestinationBlocked`.
 */
export function checkUrl(text: string, destinations: Destinations): URL {
  const url = readUrl(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new DestinationBlocked(`The scheme ${url.protocol} is not spoken.`);
  }
  if (url.username !== "" || url.password !== "") throw new DestinationBlocked("The URL carries user information.");
  const { origin } = url;
  if (destinations.goodOrigins.has(origin)) return url;
  checkOrigin(url, destinations);
  if (destinations.goodOrigins.size >= MOST_ORIGINS) destinations.goodOrigins.clear();
  destinations.goodOrigins.add(origin);
  return url;
}

function readUrl(text: string): URL {
  try {
    return new URL(text);
  } catch {
    throw new DestinationBlocked("The address is not a URL.");
  }
}

function checkOrigin(url: URL, destinations: Destinations): void {
  if (url.protocol === "http:" && !destinations.allowHttp && !isTrusted(url, destinations)) {
    throw new DestinationBlocked(`${url.host} may only be reached by https.`);
  }
  const address = literalAddress(url);
  if (address !== undefined) checkAddress(address, url, destinations);
}

/** The addresses of a host, all of them allowed: one that is not blocks the host. Throws `DestinationBlocked` and what the resolver throws. */
export async function lookupAllowed(url: URL, destinations: Destinations): Promise<readonly string[]> {
  const addresses = await destinations.lookup(url.hostname);
  for (const address of addresses) checkAddress(address, url, destinations);
  return addresses;
}

function checkAddress(address: string, url: URL, destinations: Destinations): void {
  if (isAddressAllowed(address, isTrusted(url, destinations), destinations.allowPrivate)) return;
  throw new DestinationBlocked(
    `${url.hostname} leads to ${address}, which is not a public address; a host file allows such by \`allowPrivate\`.`,
  );
}

function isTrusted(url: URL, { trustedHosts }: Destinations): boolean {
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return trustedHosts.has(url.hostname) || trustedHosts.has(`${url.hostname}:${port}`);
}

// The URL parser has already made decimal, hex, octal and short IPv4 spellings, and full-width digits, into four dotted numbers.
function literalAddress(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return ipaddr.isValid(host) ? host : undefined;
}

function readBlock(text: string): AddressBlock {
  if (!ipaddr.isValidCIDR(text)) throw new RangeError(`Not an address block (CIDR): ${text}`);
  return ipaddr.parseCIDR(text);
}

/** One for the whole process, as the threads are. */
const lookupAll = shareLookups(async (hostname) =>
  (await systemLookup(hostname, { all: true })).map(({ address }) => address),
);
