import type { UpstreamRequest } from "../../model/exchange.ts";

/** The request with further headers, but for those that it has: what the curation, a pin or a caller's argument says of a trace wins. */
export function addHeaders(request: UpstreamRequest, further: UpstreamRequest["headers"]): UpstreamRequest {
  if (further.length === 0) return request;
  const own = new Set(request.headers.map(([name]) => name.toLowerCase()));
  const added = further.filter(([name]) => !own.has(name.toLowerCase()));
  return added.length === 0 ? request : { ...request, headers: [...request.headers, ...added] };
}
