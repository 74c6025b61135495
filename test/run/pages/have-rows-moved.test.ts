import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../../src/model/json.ts";
import { haveRowsMoved } from "../../../src/run/pages/have-rows-moved.ts";

/** Pages of these rows, each with what its body says beside them. */
function pagesOf(...pages: readonly (readonly [rows: readonly Json[], beside?: JsonObject])[]) {
  return pages.map(([rows, beside = {}]) => ({ rows, count: rows.length, body: { rows, ...beside } }));
}

const A = { id: 1, cost: 5 };
const B = { id: 2, cost: 7 };
const C = { id: 3, cost: 9 };

describe("rows have moved where", () => {
  test.each([
    ["one comes again on the next page", pagesOf([[A, B]], [[B, C]])],
    ["one comes again on a page further on", pagesOf([[A]], [[B]], [[A]])],
    ["one comes again behind a page without rows", pagesOf([[A]], [[]], [[A]])],
    ["its ID is a UUID", pagesOf([[{ uuid: "a" }]], [[{ uuid: "a" }]])],
    ["fewer are there at the end than at the beginning", pagesOf([[A, B], { total: 5 }], [[C], { total: 3 }])],
    [
      "more are there at the end, which a wrapper says",
      pagesOf([[A, B], { data: { totalElements: 2 } }], [[C], { data: { totalElements: 3 } }]),
    ],
  ])("%s", (_, pages) => expect(haveRowsMoved(pages)).toBe(true));
});

describe("nothing is said where", () => {
  test.each([
    ["each comes once", pagesOf([[A, B], { total: 3 }], [[C], { total: 3 }])],
    ["there is one page", pagesOf([[A, A]])],
    ["rows have no ID", pagesOf([[{ cost: 5 }]], [[{ cost: 5 }]])],
    ["their only ID names another thing", pagesOf([[{ customerId: 1, cost: 5 }]], [[{ customerId: 1, cost: 5 }]])],
    ["rows with other values have the same ID", pagesOf([[A, B]], [[A, { ...B, cost: 8 }]])],
    ["rows of one page have the same ID", pagesOf([[A, B]], [[A, A]])],
    ["each page counts its own rows", pagesOf([[A, B], { total: 2 }], [[C], { total: 1 }])],
    ["no count is met", pagesOf([[A, B], { total: 500 }], [[C], { total: 510 }])],
    ["rows are no objects", pagesOf([["a"]], [["a"]])],
  ])("%s", (_, pages) => expect(haveRowsMoved(pages)).toBe(false));
});
