import { isJsonObject, type Json, type JsonObject, ownValue } from "../../model/json.ts";

/** Where APIs put what they say of a list's pages: the body itself, or one of these in it. */
const ENVELOPES = [
  "meta",
  "metadata",
  "paging",
  "pagination",
  "page",
  "page_info",
  "pageInfo",
  "links",
  "_links",
  "response_metadata",
];
const FLAGS = [
  "has_more",
  "hasMore",
  "has_next",
  "hasNext",
  "has_next_page",
  "hasNextPage",
  "is_truncated",
  "isTruncated",
  "incomplete_results",
];
const CURSORS = [
  "next",
  "next_page",
  "nextPage",
  "next_cursor",
  "nextCursor",
  "next_page_token",
  "nextPageToken",
  "next_token",
  "nextToken",
  "next_url",
  "nextLink",
  "@odata.nextLink",
  "continuation_token",
  "continuationToken",
];
const TOTALS = ["total", "total_count", "totalCount", "total_results", "totalResults", "totalSize", "@odata.count"];

/**
 * Whether the upstream itself says that it has more rows than it sent: a flag, a cursor or a link to a next page, or a count above the rows
 * that came. A list whose pages no curation declares must not be taken for whole. `sum` is what the curation reads from this body as the sum of a
 * measure: that number counts no rows, whatever it is called.
 */
export function hasFurtherRows(body: Json, found: number, link: string | undefined, sum?: Json): boolean {
  if (link !== undefined && /;\s*rel="?next"?/i.test(link)) return true;
  if (!isJsonObject(body)) return false;
  const places = [body, ...ENVELOPES.map((name) => ownValue(body, name)).filter(isJsonObject)];
  return places.some((place) => hasFlag(place) || hasCursor(place) || hasHigherTotal(place, found, sum));
}

function hasFlag(place: JsonObject): boolean {
  return FLAGS.some((name) => ownValue(place, name) === true);
}

/** HAL and JSON:API write a link as an object. */
function hasCursor(place: JsonObject): boolean {
  return CURSORS.some((name) => {
    const value = ownValue(place, name);
    return (
      (typeof value === "string" && value !== "") ||
      (isJsonObject(value) && typeof ownValue(value, "href") === "string")
    );
  });
}

function hasHigherTotal(place: JsonObject, found: number, sum: Json | undefined): boolean {
  return TOTALS.some((name) => {
    const value = ownValue(place, name);
    // A fraction counts no rows: it is a sum.
    return typeof value === "number" && Number.isInteger(value) && value > found && value !== sum;
  });
}
