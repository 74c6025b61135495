import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { offerOps } from "../../src/filter/offer-ops.ts";
import { NotExpressible } from "../../src/filter/refusal.ts";
import { writeFilter } from "../../src/filter/write-filter.ts";
import { conditions, means, pathsOf, rows } from "./conditions.ts";
import { DECLARED, UPSTREAMS } from "./dialects.ts";
import type { Row } from "./selects.ts";

function completeRow(row: Row, always: Row = {}): Row {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value ?? always[name] ?? null]));
}

/** Of so many random filters some at least must have been written, or the law would hold of nothing. */
const RUNS = 600;
const LEAST_WRITTEN = 30;

describe.each([...UPSTREAMS, ...DECLARED])("$title", ({ target, fields, models, always, open }) => {
  test("what is written selects the rows that the filter means, or it is refused with a path", () => {
    let written = 0;
    const law = fc.property(
      conditions(fields.filter((field) => offerOps(field, target).length > 0)),
      fc.array(rows, { minLength: 6, maxLength: 6 }),
      (condition, drawn) => {
        const table = drawn.map((row) => completeRow(row, always));
        try {
          const select = open(writeFilter(condition, target));
          written += 1;
          for (const nulls of models) {
            const selected = table.map((row) => select(row, nulls));
            expect(selected).toStrictEqual(table.map((row) => means(condition, row)));
          }
        } catch (error) {
          if (!(error instanceof NotExpressible)) throw error;
          expect(pathsOf(condition)).toContain(error.path);
          expect(error.message).toMatch(/\.$/);
        }
      },
    );
    fc.assert(law, { numRuns: RUNS });
    expect(written).toBeGreaterThan(LEAST_WRITTEN);
  });
});
