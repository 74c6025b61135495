import type { UpstreamRequest } from "../../model/exchange.ts";

/** The request with further headers, but for those that it has: what the curation, a pin or a caller's argument says of a trace wins. */
export function addHeaders(request: UpstreamRequest, further: UpstreamRequest["headers"]): UpstreamRequest {
  const added = further.filter(([name]) => !hasHeader(request.headers, name.toLowerCase()));
  return added.length === 0 ? request : { ...request, headers: [...request.headers, ...added] };
}

/** Asked of each request: a set of all names would take longer to make than to look through. */
function hasHeader(headers: UpstreamRequest["headers"], lower: string): boolean {
  return headers.some(([name]) => name.length === lower.length && name.toLowerCase() === lower);
}
