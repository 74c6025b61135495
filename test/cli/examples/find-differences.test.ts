import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findDifferences } from "../../../src/cli/examples/find-differences.ts";
import type { Json } from "../../../src/model/json.ts";

const ANY_TEXT = "…";

describe("two JSON values differ", () => {
  const CASES: readonly (readonly [what: string, wanted: Json, got: Json, paths: readonly string[]])[] = [
    ["nowhere where only keys are in another order", { a: 1, b: [2] }, { b: [2], a: 1 }, []],
    ["at the value that is another one", { rows: [{ price: 2 }] }, { rows: [{ price: 3 }] }, ["rows[0].price"]],
    ["where a type is another one", { id: "1" }, { id: 1 }, ["id"]],
    ["where there is null and nothing", { a: null }, {}, ["a"]],
    ["where there is more", {}, { more: { deep: [1, 2] } }, ["more"]],
    ["where a list is longer", [1], [1, 2, 3], ["[1]", "[2]"]],
    ["where a list is an object", { a: [] }, { a: {} }, ["a"]],
    ["as a whole", 1, "1", [""]],
    ["under names that are no words", { "a b": { "x.y": 1 } }, { "a b": { "x.y": 2 } }, ['["a b"]["x.y"]']],
    ["under a name of every object", { toString: 1 }, {}, ["toString"]],
    ["not where any text is wanted", { token: ANY_TEXT }, { token: "v1.abc" }, []],
    ["where any text is wanted and a number comes", { token: ANY_TEXT }, { token: 1 }, ["token"]],
    ["where any text is wanted and nothing comes", { token: ANY_TEXT }, {}, ["token"]],
  ];
  test.each(CASES)("%s", (_, wanted, got, paths) => {
    expect(findDifferences(wanted, got).map(({ path }) => path)).toStrictEqual(paths);
  });

  test("never from themselves, and always where their text says so", () => {
    const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value).replaceAll(ANY_TEXT, "")) as Json);
    fc.assert(
      fc.property(json, json, (one, other) => {
        expect(findDifferences(one, one)).toStrictEqual([]);
        if (typeof one !== "object") expect(findDifferences(one, other).length).toBe(one === other ? 0 : 1);
        expect(findDifferences(one, other).length === 0).toBe(findDifferences(other, one).length === 0);
      }),
    );
  });
});
