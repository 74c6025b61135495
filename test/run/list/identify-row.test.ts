import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../../../src/model/json.ts";
import { findIdentity, identifyRows } from "../../../src/run/list/identify-row.ts";

describe("a row is known by its ID", () => {
  const cases: [title: string, row: Json, rows: Json[], later: Json, want: boolean][] = [
    ["whatever else changes in it", { id: 1, n: 1 }, [{ id: 2, n: 1 }], { id: 1, n: 2 }, true],
    ["another ID is another row", { id: 1, n: 1 }, [{ id: 2, n: 1 }], { id: 3, n: 1 }, false],
    ["a text is not a number", { id: 1 }, [{ id: 2 }], { id: "1" }, false],
    ["by any of the usual names", { taskId: "a", n: 1 }, [{ taskId: "b", n: 1 }], { taskId: "a", n: 2 }, true],
    ["not by one that two rows share", { userId: 1, n: 1 }, [{ userId: 1, n: 2 }], { userId: 1, n: 3 }, false],
    ["not by one that a row lacks", { id: 1, n: 1 }, [{ n: 2 }], { id: 1, n: 3 }, false],
    ["not by one that is an object", { id: { a: 1 }, n: 1 }, [{ id: { a: 2 }, n: 1 }], { id: { a: 1 }, n: 2 }, false],
    [
      "else by all that it holds, in any order",
      { a: 1, b: [1, { c: 2 }] },
      [{ a: 2 }],
      { b: [1, { c: 2 }], a: 1 },
      true,
    ],
    ["so are scalars", "a", ["b"], "a", true],
    ["a name that only ends like one is none", { paid: 1, n: 1 }, [{ paid: 2, n: 1 }], { paid: 1, n: 2 }, false],
  ];
  test.each(cases)("%s", (_, row, others, later, want) => {
    const identity = identifyRows([row, ...others])(row);
    expect(findIdentity([later], identity, 0) === 0).toBe(want);
  });

  test("and stays so among other rows", () => {
    const row = fc.record({ id: fc.nat({ max: 50 }), n: fc.nat({ max: 3 }) });
    const rows = fc.uniqueArray(row, { selector: ({ id }) => id, minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(rows, rows, fc.nat(), (given, others, pick) => {
        const at = pick % given.length;
        const identity = identifyRows(given)(given[at]!);
        const later = [...others.filter(({ id }) => id !== given[at]!.id), { ...given[at]!, n: 9 }];
        expect(identity).toHaveLength(8);
        expect(findIdentity(later, identity, 0)).toBe(later.length - 1);
      }),
    );
  });

  test("that several rows have where it is not expected finds none of them", () => {
    const identity = identifyRows(["a", "b"])("a");
    expect(findIdentity(["b", "a", "a"], identity, 1)).toBe(1);
    expect(findIdentity(["b", "a", "a"], identity, 0)).toBe(-1);
    expect(findIdentity(["b", "a"], identity, 0)).toBe(1);
    expect(findIdentity([], identity, -1)).toBe(-1);
  });
});
