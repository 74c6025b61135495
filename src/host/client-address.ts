import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";

/**
 * The address of whoever asks. Each proxy adds to the end of X-Forwarded-For the address that it was asked from, so behind `proxies` of them the
 * last but so many is the first that no stranger wrote; without them the header is not looked at.
 */
export function clientAddress({ headers, socket }: IncomingMessage, proxies: number): string {
  const own = socket.remoteAddress ?? "";
  if (proxies === 0) return own;
  const forwarded = [headers["x-forwarded-for"] ?? ""].flat().join(",").split(",");
  const address = withoutPort(forwarded.at(-proxies)?.trim() ?? "");
  return isIP(address) === 0 ? own : address;
}

/** Some proxies add it, and then put IPv6 in brackets (RFC 7239 6 has it so). */
function withoutPort(text: string): string {
  return text.replace(/^\[([\da-f:.]+)\](?::\d{1,5})?$/i, "$1").replace(/^(\d+(?:\.\d+){3}):\d{1,5}$/, "$1");
}
