import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";
import { hostName } from "../mcp/check-host.ts";

/** Addresses that nobody has in the open internet (RFC 6890). */
const NEAR = new BlockList();
for (const [address, bits] of [
  ["127.0.0.0", 8],
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["100.64.0.0", 10],
  ["169.254.0.0", 16],
] as const) {
  NEAR.addSubnet(address, bits, "ipv4");
}
NEAR.addAddress("::1", "ipv6");
NEAR.addSubnet("fc00::", 7, "ipv6");
NEAR.addSubnet("fe80::", 10, "ipv6");

/** Names that nobody can have in the open internet: of one label, and under those set apart (RFC 6761, RFC 6762, RFC 8375, `internal`, a cluster's `svc`). */
const OWN_NAME = /^(?:[a-z0-9_-]+|[a-z0-9._-]+\.(?:local|localhost|internal|home\.arpa|svc))$/;

/**
 * Whether somebody asks who looks after this process: from a private address, under a name of their own network, and not through a proxy, which would
 * bring in strangers. What is told to them names servers and tools.
 */
export function isNear({ headers, socket }: Pick<IncomingMessage, "headers" | "socket">): boolean {
  const isForwarded = ["x-forwarded-for", "forwarded", "via", "x-real-ip"].some((name) => headers[name] !== undefined);
  return !isForwarded && isOwnHost(headers.host ?? "") && isPrivateAddress(socket.remoteAddress ?? "");
}

/** Whether nobody in the open internet has the address, as a socket tells it. */
export function isPrivateAddress(text: string): boolean {
  // A socket that listens on both families has IPv4 addresses mapped into IPv6 (RFC 4291 2.5.5.2).
  const address = text.replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/, "");
  const family = isIP(address);
  return family !== 0 && NEAR.check(address, family === 4 ? "ipv4" : "ipv6");
}

function isOwnHost(host: string): boolean {
  const name = hostName(host) ?? "";
  return isIP(name.replace(/^\[|\]$/g, "")) !== 0 || OWN_NAME.test(name);
}
