import { isIP } from "node:net";
import { UsageError } from "./command.ts";

export interface Address {
  readonly hostname: string;
  readonly port: number;
}

/** Reads HOST:PORT, an IPv6 host in brackets. Throws `UsageError`. */
export function parseAddress(text: string): Address {
  const parts = /^(?:\[(?<v6>[0-9a-f:.]+)\]|(?<name>[a-z0-9._-]+)):(?<port>\d{1,5})$/i.exec(text)?.groups;
  const port = Number(parts?.port);
  const hostname = parts?.v6 ?? parts?.name;
  if (hostname === undefined || !(port <= 65_535) || (parts?.v6 !== undefined && isIP(hostname) !== 6)) {
    throw new UsageError(`Not an address: ${text}. Write HOST:PORT, for example 127.0.0.1:3000.`);
  }
  return { hostname: hostname.toLowerCase(), port };
}

/** A host that only this machine reaches: localhost, 127.0.0.0/8 and ::1 (RFC 6890). */
export function isLoopback({ hostname }: Address): boolean {
  return hostname === "localhost" || hostname === "::1" || (isIP(hostname) === 4 && hostname.startsWith("127."));
}
