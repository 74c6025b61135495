import { describe, expect, test } from "vitest";
import type { Json } from "../../src/model/json.ts";
import { hasFurtherRows } from "../../src/run/shape/find-further.ts";
import { list, replyTo } from "./shape-fixture.ts";

const further: [title: string, body: Json, link?: string][] = [
  ["a flag", { rows: [1], has_more: true }],
  ["a cursor", { rows: [1], nextPageToken: "abc" }],
  ["a cursor of a number's kind in a paging envelope", { rows: [1], paging: { next: "https://api.test/?after=1" } }],
  ["a link object, as HAL writes it", { rows: [1], _links: { next: { href: "/rows?page=2" } } }],
  ["OData's next link", { value: [1], "@odata.nextLink": "https://api.test/next" }],
  ["a count above what came", { rows: [1], total: 2 }],
  ["a count in meta", { rows: [1], meta: { total_count: 40 } }],
  ["a Link header", [1], '<https://api.test/?page=2>; rel="next", <https://api.test/?page=9>; rel="last"'],
];
const whole: [title: string, body: Json, link?: string][] = [
  ["a flag that says no", { rows: [1], has_more: false }],
  ["an empty cursor", { rows: [1], next_cursor: "" }],
  ["a null cursor", { rows: [1], next: null }],
  ["a count that is met", { rows: [1], total: 1 }],
  ["a list alone", [1]],
  ["a Link header without a next", [1], '<https://api.test/?page=1>; rel="prev"'],
  ["a row's own property of such a name", { rows: [{ next: "x", has_more: true }] }],
];

describe("an upstream that has more rows than it sent is believed", () => {
  test.each(further)("%s → more", (_, body, link) => expect(hasFurtherRows(body, 1, link)).toBe(true));
  test.each(whole)("%s → all", (_, body, link) => expect(hasFurtherRows(body, 1, link)).toBe(false));
  test("a number that is the sum of a measure is no count", () => {
    expect(hasFurtherRows({ rows: [1], total: 500 }, 1, undefined, 500)).toBe(false);
    expect(hasFurtherRows({ rows: [1], total: 500, total_count: 9 }, 1, undefined, 500)).toBe(true);
    expect(hasFurtherRows({ rows: [1], total: 1.5 }, 1, undefined)).toBe(false);
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
