import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json } from "../../src/model/json.ts";
import { firstRows, orderRows } from "../../src/run/shape/order.ts";

const cell = fc.constantFrom<Json>(null, 1, 2, "10", "a", "b", true);

test("the first rows of an order are those of the whole order", () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ a: cell, b: cell, id: fc.nat(5) }), { minLength: 1, maxLength: 60 }),
      fc.array(fc.record({ column: fc.constantFrom("a", "b"), descending: fc.boolean() }), {
        minLength: 1,
        maxLength: 2,
      }),
      fc.integer({ min: 1, max: 30 }),
      (few, by, most) => {
        // So many that not all of them are kept at any time.
        const rows = Array.from({ length: 3_000 }, (_, at) => ({ ...few[at % few.length]!, at: at % 7 }));
        const entries = rows.map((row) => ({ source: row, row, omitted: [] }));
        expect(firstRows(entries, by, rows, most)).toEqual(orderRows(entries, by).slice(0, most));
      },
    ),
    { numRuns: 30 },
  );
});
