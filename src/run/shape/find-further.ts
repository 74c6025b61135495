import { isJsonObject, type Json, type JsonObject, ownValue } from "../../model/json.ts";
import { parseContentRange } from "../pages/parse-content-range.ts";

/** What some APIs wrap every answer in. */
const WRAPPERS = ["data", "result", "response", "payload", "d"];
/** Where APIs put what they say of a list's pages: beside the rows, or one of these there. */
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
  "more",
  "has_more",
  "hasMore",
  "has_more_items",
  "hasMoreItems",
  "has_next",
  "hasNext",
  "has_next_page",
  "hasNextPage",
  "truncated",
  "is_truncated",
  "isTruncated",
  "incomplete_results",
];
/** Flags that say of the last page that it is the last. */
const LAST_FLAGS = ["last", "is_last", "isLast", "is_last_page", "isLastPage"];
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
  "odata.nextLink",
  "__next",
  "continuation_token",
  "continuationToken",
];
const TOTALS = [
  "total",
  "total_count",
  "totalCount",
  "total_results",
  "totalResults",
  "total_items",
  "totalItems",
  "total_elements",
  "totalElements",
  "total_records",
  "totalRecords",
  "totalSize",
  "@odata.count",
  "odata.count",
  "__count",
];
const TOTAL_HEADERS = ["x-total-count", "x-total", "total-count", "x-pagination-total-count"];

/** Beside what it says of its pages, what an answer says of itself. */
const OWN_WORDS = ["kind", "etag", "@odata.context", "odata.metadata"];
const BESIDE_ROWS = new Set([...ENVELOPES, ...FLAGS, ...LAST_FLAGS, ...CURSORS, ...TOTALS, ...OWN_WORDS]);

/** Whether a member of this name is what an answer may say beside its rows, and nothing of whether it failed. */
export function mayStandBeside(name: string): boolean {
  return BESIDE_ROWS.has(name);
}

type Headers = Pick<ReadonlyMap<string, string>, "get">;

/**
 * Whether the upstream itself says that it has more rows than it sent: a flag, a cursor or a link to a next page, or a count above the rows
 * that came, in the body or in a header. A list whose pages no curation declares must not be taken for whole. `sum` is what the curation reads from this
 * body as the sum of a measure: that number counts no rows, whatever it is called.
 */
export function hasFurtherRows(body: Json, found: number, headers: Headers, sum?: Json): boolean {
  if (/;\s*rel="?next"?/i.test(headers.get("link") ?? "")) return true;
  if (TOTAL_HEADERS.some((name) => isHigher(headers.get(name) ?? null, found))) return true;
  const range = headers.get("content-range");
  if ((parseContentRange(range)?.total ?? 0) > found && !/^\s*bytes\b/i.test(range ?? "")) return true;
  return placesOf(body).some((place) => hasFlag(place) || hasCursor(place) || hasHigherTotal(place, found, sum));
}

/** The same of an answer of which nobody says that it is a list: there `total` is often an amount. */
export function hasFurtherBeside(body: Json, found: number, headers: Headers): boolean {
  return hasFurtherRows(body, found, headers, isJsonObject(body) ? ownValue(body, "total") : undefined);
}

/** The objects that may stand around the rows, and what they hold of pages. */
function placesOf(body: Json): JsonObject[] {
  if (!isJsonObject(body)) return [];
  const wrapped = membersOf(body, WRAPPERS);
  // GraphQL's connections have a name of their own below `data`.
  const connections = wrapped
    .flatMap((one) => membersOf(one, Object.keys(one)))
    .filter((one) => Object.hasOwn(one, "pageInfo"));
  return [body, ...wrapped, ...connections].flatMap((around) => [around, ...membersOf(around, ENVELOPES)]);
}

function membersOf(around: JsonObject, names: readonly string[]): JsonObject[] {
  return names.map((name) => ownValue(around, name)).filter(isJsonObject);
}

function hasFlag(place: JsonObject): boolean {
  const isTrue = (name: string) => [true, "true"].includes(ownValue(place, name) as boolean | string);
  return FLAGS.some(isTrue) || LAST_FLAGS.some((name) => ownValue(place, name) === false);
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

/** What a body says to be the number of all rows, always in the same order; undefined where it does not say. */
export function statedCounts(body: Json): (number | undefined)[] {
  return placesOf(body).flatMap((place) => TOTALS.map((name) => countIn(ownValue(place, name) ?? null)));
}

function hasHigherTotal(place: JsonObject, found: number, sum: Json | undefined): boolean {
  return TOTALS.some((name) => {
    const value = ownValue(place, name) ?? null;
    return value !== sum && isHigher(value, found);
  });
}

function isHigher(value: Json, found: number): boolean {
  const count = countIn(value);
  return count !== undefined && count > found;
}

/** A fraction counts no rows: it is a sum. */
function countIn(value: Json): number | undefined {
  const isCount = typeof value === "number" || (typeof value === "string" && /^\d{1,15}$/.test(value));
  return isCount && Number.isInteger(Number(value)) ? Number(value) : undefined;
}
