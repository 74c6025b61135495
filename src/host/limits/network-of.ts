import { isIPv4, isIPv6 } from "node:net";

const LONGEST_NAME = 64;

/** What counts as one address: an IPv4 address, or the /64 that one subscriber has of IPv6 (RFC 6177), in which they may choose at will. */
export function networkOf(address: string): string {
  const plain = address.split("%", 1)[0]!;
  if (isIPv4(plain)) return plain;
  if (!isIPv6(plain)) return plain.slice(0, LONGEST_NAME);
  const written = new URL(`http://[${plain}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([\da-f]+):([\da-f]+)$/.exec(written);
  if (mapped) return mapped.slice(1).flatMap(bytesOf).join(".");
  const [head = "", tail] = written.split("::");
  const [first, last] = [groupsOf(head), groupsOf(tail ?? "")];
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => "0");
  return `${[...first, ...zeros, ...last].slice(0, 4).join(":")}::/64`;
}

function groupsOf(text: string): string[] {
  return text === "" ? [] : text.split(":");
}

function bytesOf(group: string): number[] {
  const value = Number.parseInt(group, 16);
  return [value >> 8, value & 255];
}
