import type { IncomingMessage } from "node:http";

/** Names that mean this machine; a web page cannot make a browser send them but to this machine itself. */
export const LOOPBACK_NAMES: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

// RFC 9110 4.2.1: of a name with another no URL can be made.
const MOST_PORT = 65_535;

export interface AddressHeaders {
  /** Every Host header that was sent. */
  readonly hosts: readonly string[];
  readonly origins: readonly string[];
}

/**
 * Guards against DNS rebinding (MCP 2026-07-28, Streamable HTTP, Security Warning): the Host, and the Origin where a browser sends one,
 * must be a name that we are known by. Ports do not count. Returns why a request is refused.
 */
export function checkHost({ hosts, origins }: AddressHeaders, names: ReadonlySet<string>): string | undefined {
  const [host, ...furtherHosts] = hosts;
  if (host === undefined || furtherHosts.length > 0) return "Exactly one Host header is needed.";
  if (!names.has(hostName(host) ?? "")) return "This Host is not served here.";
  const [origin, ...furtherOrigins] = origins;
  if (origin === undefined) return undefined;
  if (furtherOrigins.length > 0 || !names.has(originName(origin) ?? "")) return "This Origin is not allowed.";
  return undefined;
}

/** The name in `name` or `name:port`, in lower case and IPv6 in brackets; undefined where it is neither (RFC 9110 7.2). */
export function hostName(host: string): string | undefined {
  const { name, port = "" } = /^(?<name>[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::(?<port>\d{1,5}))?$/i.exec(host)?.groups ?? {};
  return Number(port) <= MOST_PORT ? name?.toLowerCase() : undefined;
}

function originName(origin: string): string | undefined {
  const authority = /^https?:\/\/(?<authority>[^/]+)$/i.exec(origin)?.groups?.authority;
  return authority === undefined ? undefined : hostName(authority);
}

/** Every one that was sent: Node itself keeps only the first of several. */
export function addressHeaders(request: IncomingMessage): AddressHeaders {
  const values = (name: string): string[] =>
    request.rawHeaders.filter((_, at, raw) => at % 2 === 1 && raw[at - 1]?.toLowerCase() === name);
  return { hosts: values("host"), origins: values("origin") };
}
