import type { UpstreamReply } from "../../model/exchange.ts";
import { isSpent } from "./read-retry-after.ts";

/** Whether the upstream refused a request for coming too soon: by 429 (RFC 6585 4), or by a 403 that says when to come again or that nothing is left. */
export function isRateLimited(reply: Pick<UpstreamReply, "status" | "headers">): boolean {
  if (reply.status !== 403) return reply.status === 429;
  return reply.headers.has("retry-after") || isSpent(reply);
}
