import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { cutToBudget } from "../../src/run/shape/cut-to-budget.ts";

/** The reply's bytes with so many rows. */
const bytesOf = (rows: readonly string[], head: JsonObject, shown: number) =>
  Buffer.byteLength(JSON.stringify({ ...head, data: rows.slice(0, shown) }));

const rows = fc.array(fc.string({ unit: "binary", maxLength: 12 }), { maxLength: 40 });
/** What is told of each further row, in bytes. */
const growth = fc.array(fc.nat(9), { minLength: 40, maxLength: 40 });

describe("rows that fit a budget", () => {
  test("are as many as there is room for, beside whatever the head of just these takes", () => {
    fc.assert(
      fc.property(rows, growth, fc.integer({ min: 30, max: 400 }), (texts, grows, budget) => {
        const told = (shown: number) => grows.slice(0, shown).reduce((sum, one) => sum + one, 0);
        const head = (shown: number) => ({ told: "t".repeat(shown === texts.length ? 0 : told(shown)) });
        const fits = (shown: number) => bytesOf(texts, head(shown), shown) <= budget;
        const most = texts.findLastIndex((_, at) => fits(at + 1)) + 1;
        const fitted = cutToBudget(texts, budget, head);
        expect(fitted.shown).toBe(most);
        if (most === 0 && texts.length > 0) expect(fitted.data).toBeUndefined();
        else expect(fitted.data).toBe(JSON.stringify(texts.slice(0, most)));
        if (most > 0) expect(fitted.head?.head).toEqual(head(most));
      }),
    );
  });

  test("never take more than the budget, whatever the heads of other numbers of rows take", () => {
    fc.assert(
      fc.property(rows, growth, fc.integer({ min: 30, max: 400 }), (texts, grows, budget) => {
        const head = (shown: number) => ({ told: "t".repeat(10 * (grows[shown] ?? 0)) });
        const { shown, data, head: written } = cutToBudget(texts, budget, head);
        if (shown === 0) return;
        expect(data).toBe(JSON.stringify(texts.slice(0, shown)));
        expect(written).toEqual({ head: head(shown), text: JSON.stringify(head(shown)) });
        expect(bytesOf(texts, head(shown), shown)).toBeLessThanOrEqual(budget);
      }),
    );
  });
});
