import type { UpstreamReply } from "../../model/exchange.ts";

const REMAINING = ["ratelimit-remaining", "x-ratelimit-remaining"];

/** Whether the upstream refused a request for coming too soon: by 429 (RFC 6585 4), or by a 403 that says when to come again or that nothing is left. */
export function isRateLimited({ status, headers }: Pick<UpstreamReply, "status" | "headers">): boolean {
  if (status !== 403) return status === 429;
  return headers.has("retry-after") || REMAINING.some((name) => headers.get(name)?.trim() === "0");
}
