import type { IncomingMessage } from "node:http";
import { PageRefusal } from "./page-refusal.ts";

/**
 * Throws `PageRefusal` unless a request comes from the page itself, or from no browser at all: other sites, and other ports of this machine, are served
 * nothing (Fetch Metadata; RFC 6454). That Host and Origin are names of ours was found before. `own` is an origin under which the page is known beside the
 * one that the request names.
 */
export function checkSender({ headers, rawHeaders }: IncomingMessage, own?: string): void {
  const site = headers["sec-fetch-site"];
  const origins = rawHeaders.filter((_, at, raw) => at % 2 === 1 && raw[at - 1]?.toLowerCase() === "origin");
  const [origin, ...further] = origins;
  const isOwnSite = site === undefined || site === "same-origin";
  const isOwnOrigin = origin === undefined || origin === own || authorityOf(origin) === headers.host?.toLowerCase();
  if (!isOwnSite || !isOwnOrigin || further.length > 0)
    throw new PageRefusal(403, "foreign_page", "Only the page itself may ask for this.");
}

function authorityOf(origin: string): string | undefined {
  return /^https?:\/\/([^/]+)$/i.exec(origin)?.[1]?.toLowerCase();
}
