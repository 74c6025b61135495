import { describe, expect, test } from "vitest";
import type { Json } from "../../src/model/json.ts";
import { hasFurtherRows } from "../../src/run/shape/find-further.ts";
import { list, replyTo } from "./shape-fixture.ts";

type Headers = Readonly<Record<string, string>>;

const further: [title: string, body: Json, headers?: Headers][] = [
  ["a flag", { rows: [1], has_more: true }],
  ["a cursor", { rows: [1], nextPageToken: "abc" }],
  ["a cursor of a number's kind in a paging envelope", { rows: [1], paging: { next: "https://api.test/?after=1" } }],
  ["a link object, as HAL writes it", { rows: [1], _links: { next: { href: "/rows?page=2" } } }],
  ["OData's next link", { value: [1], "@odata.nextLink": "https://api.test/next" }],
  ["a count above what came", { rows: [1], total: 2 }],
  ["a count in meta", { rows: [1], meta: { total_count: 40 } }],
  ["a count as text", { rows: [1], total: "2" }],
  ["Spring's count", { content: [1], totalElements: 9, last: false }],
  ["a flag that this is not the last page", { values: [1], isLast: false }],
  ["a flag as text", { rows: [1], has_more: "true" }],
  ["PagerDuty's flag", { rows: [1], more: true }],
  ["a tree that was cut", { tree: [1], truncated: true }],
  ["OData's links and counts before version 4", { d: { results: [1], __next: "https://api.test/next" } }],
  ["OData's count before version 4", { d: { results: [1], __count: "9" } }],
  ["a flag inside a wrapper", { code: 0, data: { items: [1], has_more: true } }],
  ["an envelope inside a wrapper", { result: { items: [1], pagination: { total: 9 } } }],
  ["GraphQL's page info", { data: { users: { nodes: [1], pageInfo: { hasNextPage: true, endCursor: "x" } } } }],
  ["a Link header", [1], { link: '<https://api.test/?page=2>; rel="next", <https://api.test/?page=9>; rel="last"' }],
  ["a header with a count", [1], { "x-total-count": "2" }],
  ["a Content-Range of rows", { rows: [1] }, { "content-range": "items 0-0/2" }],
];
const whole: [title: string, body: Json, headers?: Headers][] = [
  ["a flag that says no", { rows: [1], has_more: false }],
  ["an empty cursor", { rows: [1], next_cursor: "" }],
  ["a null cursor", { rows: [1], next: null }],
  ["a count that is met", { rows: [1], total: 1 }],
  ["a list alone", [1]],
  ["a Link header without a next", [1], { link: '<https://api.test/?page=1>; rel="prev"' }],
  ["a header with a count that is met", [1], { "x-total-count": "1" }],
  ["a Content-Range that ends with what came", [1], { "content-range": "items 0-0/1" }],
  ["a Content-Range that does not say", [1], { "content-range": "items 0-0/*" }],
  ["a Content-Range of bytes", [1], { "content-range": "bytes 0-9/500" }],
  ["a header that is no count", [1], { "x-total-count": "many" }],
  ["a text that is no count", { rows: [1], total: "12 EUR" }],
  ["a link to the last page", { rows: [1], links: { last: "https://api.test/?page=1" } }],
  ["the last page", { content: [1], totalElements: 1, last: true }],
  ["GraphQL's last page", { data: { users: { nodes: [1], pageInfo: { hasNextPage: false, endCursor: "x" } } } }],
  ["a row's own property of such a name", { rows: [{ next: "x", has_more: true }] }],
];

function hasFurther(body: Json, headers: Headers = {}, sum?: Json): boolean {
  return hasFurtherRows(body, 1, new Map(Object.entries(headers)), sum);
}

describe("an upstream that has more rows than it sent is believed", () => {
  test.each(further)("%s → more", (_, body, headers) => expect(hasFurther(body, headers)).toBe(true));
  test.each(whole)("%s → all", (_, body, headers) => expect(hasFurther(body, headers)).toBe(false));
  test("a number that is the sum of a measure is no count", () => {
    expect(hasFurther({ rows: [1], total: 500 }, {}, 500)).toBe(false);
    expect(hasFurther({ rows: [1], total: 500, total_count: 9 }, {}, 500)).toBe(true);
    expect(hasFurther({ rows: [1], total: 1.5 })).toBe(false);
  });
});

test("such a list is never said to have ended, and says why no token leads on", () => {
  const { structured } = replyTo(
    list({ limit: { default: 10, max: 50 } }),
    { rows: [{ id: 1 }, { id: 2 }], has_more: true },
    { limit: 10 },
  );
  expect(structured).toMatchObject({
    rowCount: 2,
    hasMore: true,
    note: "The upstream has more rows than it sent. Narrow the arguments to see others.",
    omitted: [{ what: "rows", kept: "2, and the upstream has more", get: "Narrow the arguments" }],
  });
});

test("an order or a search over such a list says what it looked at", () => {
  const order = [{ by: [{ column: "id", descending: true }] }];
  const { structured } = replyTo(list({ order }), { rows: [{ id: 1 }, { id: 2 }], total: 9 });
  expect(structured.note).toContain("Only the 2 rows that it sent were looked at.");
});

test("rows cut to the limit count what came and say that there is more", () => {
  const { structured } = replyTo(
    list({ limit: { default: 1, max: 50 } }),
    { rows: [{ id: 1 }, { id: 2 }], next: "x" },
    { limit: 1 },
  );
  expect(structured).toMatchObject({
    rowCount: 1,
    hasMore: true,
    omitted: [{ kept: "1 of 2 or more", get: "Raise `limit` (max 50)" }],
  });
});
