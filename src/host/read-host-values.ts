import { isIP } from "node:net";
import type { HostFile, Rate } from "./hosting.ts";

/** The name by which callers find a server, at `/mcp/NAME`. */
export function isServerName(text: string): boolean {
  return /^[a-z][a-z0-9-]{0,14}$/.test(text);
}

/** HOST:PORT as the schema found it, an IPv6 host in brackets. */
export function readAddress(text: string): HostFile["listen"] {
  const at = text.lastIndexOf(":");
  return {
    hostname: text
      .slice(0, at)
      .replace(/^\[|\]$/g, "")
      .toLowerCase(),
    port: Number(text.slice(at + 1)),
  };
}

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** The origin of an https URL that is nothing more, or of an http one of this machine; else undefined. */
export function readOrigin(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.href !== `${url.origin}/` || !/^https?:\/\/[^/\\?#@]+\/?$/i.test(text)) return undefined;
  return url.protocol === "https:" || LOOPBACK.test(url.hostname) ? url.origin : undefined;
}

/** A redis: or rediss: URL; a password in it may hold no `#`, `/` or `?` as they are. */
export function isStoreUrl(text: string): boolean {
  return URL.canParse(text) && /^rediss?:\/\//i.test(text);
}

const UNITS = { s: 1_000, min: 60_000, h: 3_600_000, day: 86_400_000 } as const;

/** `60/min`, as the schema found it. */
export function readRate(text: string): Rate {
  const [calls, unit] = text.split("/") as [string, keyof typeof UNITS];
  return { calls: Number(calls), perMs: UNITS[unit] };
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/i;

/** The moment from which something is good no more: of a day its end in UTC. Undefined for what is neither a day nor a moment. */
export function readExpiry(text: string): Date | undefined {
  const start = DAY.test(text) || MOMENT.test(text) ? new Date(text) : undefined;
  if (start === undefined || Number.isNaN(start.getTime())) return undefined;
  // JavaScript takes a 30th of February for the 2nd of March.
  if (DAY.test(text) && start.toISOString().slice(0, 10) !== text) return undefined;
  return DAY.test(text) ? new Date(start.getTime() + UNITS.day) : start;
}

/** `10.0.0.0/8`, `fd00::/8`. An IPv4 address is written as one, and one of a single interface is no block. */
export function isAddressBlock(text: string): boolean {
  const [, address = "", bits = ""] = /^(?!::ffff:)([^/%]+)\/(\d{1,3})$/i.exec(text) ?? [];
  const family = isIP(address);
  return family !== 0 && Number(bits) <= (family === 4 ? 32 : 128);
}
