import ipaddr from "ipaddr.js";

export type AddressBlock = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Metadata services of clouds that do not live at a link-local address, one of them at a public one: as good as credentials, so no trust reaches them. */
const METADATA = new Set([
  "fd00:ec2::254",
  "fd20:ce::254",
  "fd00:42::42",
  "100.100.100.200",
  "192.0.0.192",
  "168.63.129.16",
]);

/** Ranges that no trust and no allowed block reach. */
const NEVER = new Set(["linkLocal", "unspecified", "broadcast", "multicast"]);

/**
 * Whether an IP address may be connected to: public ones always, others where the host is trusted or the address lies in an allowed block;
 * link-local, metadata and unspecified ones never. IPv6 forms that carry an IPv4 address are judged by that one.
 */
export function isAddressAllowed(text: string, trusted: boolean, allowPrivate: readonly AddressBlock[]): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  const carried = carriedAddress(address);
  if (isNever(address) || (carried !== undefined && isNever(carried))) return false;
  if (trusted || (address.range() === "unicast" && (carried === undefined || carried.range() === "unicast")))
    return true;
  return allowPrivate.some(([block, bits]) => block.kind() === address.kind() && address.match(block, bits));
}

/** Whether no address of a block (CIDR) may ever be connected to. */
export function isNeverReached(block: string): boolean {
  const kind = ipaddr.IPv4.isValidCIDR(block) ? ipaddr.IPv4 : ipaddr.IPv6;
  const [first, last] = [kind.networkAddressFromCIDR(block), kind.broadcastAddressFromCIDR(block)];
  // Each range is one block, so whatever lies between two of its addresses is of it.
  return isNever(first) && isNever(last) && (first.range() === last.range() || first.toString() === last.toString());
}

function isNever(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return NEVER.has(address.range()) || METADATA.has(address.toString());
}

/** NAT64 (RFC 6052) and IPv4-compatible addresses hold an IPv4 address in their last 32 bits, 6to4 (RFC 3056) in bits 16 to 47. */
function carriedAddress(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | undefined {
  if (!(address instanceof ipaddr.IPv6)) return undefined;
  const bytes = address.toByteArray();
  if (address.range() === "6to4") return new ipaddr.IPv4(bytes.slice(2, 6));
  const isCompatible = bytes.slice(0, 12).every((byte) => byte === 0) && bytes.slice(12, 15).some((byte) => byte !== 0);
  if (address.range() === "rfc6052" || isCompatible) return new ipaddr.IPv4(bytes.slice(12));
  return undefined;
}
