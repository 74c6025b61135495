import { Ajv2020 } from "ajv/dist/2020.js";
import type { Decimal } from "decimal.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { listKeys } from "../../../src/compile/lists/list-output.ts";
import type { Json, JsonObject } from "../../../src/model/json.ts";
import { addUp } from "../../../src/run/totals/add-up.ts";
import { Exact, readAmount, ZERO } from "../../../src/run/totals/read-amount.ts";
import { type TotalRead, withhold } from "../../../src/run/totals/total-read.ts";
import { dataOf, part, type Reply, replyWith, TOKENS, whole } from "../shape-fixture.ts";
import { aggregate, costs, says, spend } from "./totals-fixture.ts";

const cents = fc.integer({ min: -5_000, max: 100_000 }).map((n) => n / 100);
const amount: fc.Arbitrary<Json> = fc.oneof(
  { weight: 6, arbitrary: cents.map(Math.abs) },
  { weight: 2, arbitrary: cents },
  { weight: 1, arbitrary: cents.map(String) },
  { weight: 1, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true, min: 0, max: 1e9 }) },
);
const cell: fc.Arbitrary<Json> = fc.oneof({ weight: 9, arbitrary: amount }, fc.constantFrom(null, "n/a", "1,000"));
const currency = fc.oneof({ weight: 8, arbitrary: fc.constant("USD") }, fc.constantFrom("EUR", "GB", null));

const totals: fc.Arbitrary<TotalRead> = fc.oneof(
  fc.dictionary(fc.constantFrom("USD", "EUR", "GB", "-"), amount, { maxKeys: 3 }).map((one) => says(one)),
  fc.constant<TotalRead>({ kind: "list", caveats: [{ code: "ESTIMATED", note: "It is." }] }),
  fc.constant(withhold("PART_FAILED", "The request for the total failed. ".repeat(8))),
);

const scene = fc
  .record({
    cells: fc.array(fc.record({ cost: cell, currency }), { maxLength: 40 }),
    total: totals,
    exact: fc.boolean(),
    limit: fc.integer({ min: 1, max: 40 }),
    budget: fc.integer({ min: 700, max: 4_000 }),
    round: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
    additive: fc.boolean(),
    isPart: fc.boolean(),
    filter: fc.option(fc.string({ maxLength: 600 })),
  })
  .map(({ cells, exact, total, ...rest }) => {
    // Half of the time the total is that of the rows, as it should be.
    const own = cells.reduce((sum, { cost }) => sum.plus(readAmount(cost)?.exact ?? 0), ZERO.exact);
    const values = [{ unit: "USD", amount: { exact: own, slack: ZERO.slack } }];
    const right: TotalRead = { kind: "values", values, caveats: [] };
    return { rows: costs(cells), total: exact ? right : total, ...rest };
  });

type Scene = typeof scene extends fc.Arbitrary<infer S> ? S : never;

function reply({ rows, total, limit, budget, round, additive, isPart, filter }: Scene): Reply {
  const plain = spend({ budget, totals: aggregate({ additive }) }, {});
  const fields = plain.fields!.map((one) => {
    if (one.kind !== "column" || one.name !== "cost") return one;
    const { round: _, ...unrounded } = one;
    return round === undefined ? unrounded : { ...one, round };
  });
  const read = isPart ? part(rows.slice(0, limit + 1), { more: rows.length > limit + 1 }) : whole(rows);
  const applied = filter === null ? {} : { applied: { kind: "single", field: "f", op: "eq", value: filter } };
  return replyWith({ ...plain, fields }, read, { limit }, { ...TOKENS, ...applied, total });
}

const schema = {
  type: "object",
  properties: listKeys({ kind: "list", row: {}, columns: 2, totals: "aggregate", goesOn: true, filtered: true }, {}),
};
const isValid = new Ajv2020({ strict: false }).compile(schema);
const ORDER = "summary other rowCount hasMore nextPageToken note appliedFilter omitted data".split(" ");

interface Summary {
  readonly total?: Json;
  readonly sumReturned?: Json;
  readonly pctOfTotalShown?: number;
  readonly returned: number;
  readonly totals?: readonly JsonObject[];
}

describe("whatever rows and total there are", () => {
  test("what is printed adds up, and no share is above the whole", () => {
    fc.assert(
      fc.property(scene, (given) => {
        const { structured } = reply(given);
        const summary = structured.summary as unknown as Summary;
        const other = structured.other as { sum: Json; pct?: number } | undefined;
        for (const one of [summary, ...((summary.totals ?? []) as unknown as Summary[])]) {
          if (one.pctOfTotalShown === undefined) continue;
          expect(one.pctOfTotalShown).toBeGreaterThanOrEqual(0);
          expect(one.pctOfTotalShown).toBeLessThanOrEqual(100);
        }
        if (other === undefined) return;
        expect(new Exact(summary.sumReturned as number).plus(other.sum as number).toFixed()).toBe(
          new Exact(summary.total as number).toFixed(),
        );
        expect(other.pct === undefined).toBe(summary.pctOfTotalShown === undefined);
        if (other.pct === undefined) return;
        expect(new Exact(summary.pctOfTotalShown!).plus(other.pct).toFixed()).toBe("100");
        expect(new Exact(other.sum as number).gt(0)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test("a reply keeps its budget, its order of keys and its schema, and tells of just its rows", () => {
    fc.assert(
      fc.property(scene, (given) => {
        const made = reply(given);
        const { structured, text } = made;
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(Math.max(given.budget, 1_300));
        expect(JSON.parse(text)).toEqual(structured);
        expect(Object.keys(structured)).toEqual(ORDER.filter((key) => key in structured));
        expect(isValid(structured), JSON.stringify(isValid.errors)).toBe(true);
        const summary = structured.summary as unknown as Summary;
        expect(summary.returned).toBe(dataOf(made).length);
        expect(structured.rowCount).toBe(dataOf(made).length);
      }),
      { numRuns: 500 },
    );
  });

  test("the sum of the rows returned is the sum of just those", () => {
    fc.assert(
      fc.property(scene, (given) => {
        const made = reply({ ...given, round: undefined });
        const { sumReturned } = made.structured.summary as unknown as Summary;
        if (sumReturned === undefined) return;
        const sum = dataOf(made).reduce<Decimal>(
          (left, row) => left.plus((row as { cost: number }).cost),
          new Exact(0),
        );
        expect(new Exact(sumReturned as number).toFixed()).toBe(sum.toDecimalPlaces(20).toFixed());
      }),
    );
  });

  test("the order of rows never changes what is said of the whole", () => {
    const shuffled = scene.chain((given) =>
      fc.tuple(fc.constant(given), fc.shuffledSubarray(given.rows, { minLength: given.rows.length })),
    );
    fc.assert(
      fc.property(shuffled, ([given, rows]) => {
        const all = { ...given, limit: 40, budget: 100_000, isPart: false };
        expect(reply({ ...all, rows }).structured.summary).toEqual(reply(all).structured.summary);
      }),
    );
  });

  test("pages added up one after the other are all rows added up", () => {
    fc.assert(
      fc.property(fc.array(amount, { maxLength: 30 }), fc.nat({ max: 30 }), (cells, at) => {
        const terms = cells.map((one) => ({ amount: readAmount(one), unit: undefined }));
        const sumOf = (some: typeof terms) => addUp(some).units.get(undefined)?.sum.exact ?? ZERO.exact;
        expect(
          sumOf(terms.slice(0, at))
            .plus(sumOf(terms.slice(at)))
            .toFixed(),
        ).toBe(sumOf(terms).toFixed());
      }),
    );
  });
});

test("what is above zero, what is below, the sum and its slack are those that decimals give, one added after the other", () => {
  const signed = fc.oneof(amount, fc.constantFrom(0, -0, "-0.00"), fc.double({ noNaN: true, noDefaultInfinity: true }));
  fc.assert(
    fc.property(fc.array(signed, { minLength: 1, maxLength: 30 }), (cells) => {
      const terms = cells.map((one) => ({ amount: readAmount(one)!, unit: undefined }));
      const total = (some: typeof terms, of: "exact" | "slack") =>
        some
          .reduce((sum, one) => sum.plus(one.amount[of]), new Exact(0))
          .plus(0)
          .toFixed();
      const { sum, positive, negative } = addUp(terms).units.get(undefined)!;
      const added = [sum.exact, sum.slack, positive, negative].map((one) => one.plus(0).toFixed());
      const above = terms.filter((one) => one.amount.exact.gt(0));
      const below = terms.filter((one) => one.amount.exact.lt(0));
      expect(added).toEqual([
        total(terms, "exact"),
        total(terms, "slack"),
        total(above, "exact"),
        total(below, "exact"),
      ]);
    }),
  );
});

test("an upstream that adds its rows up in doubles is not told to be wrong", () => {
  const thirds = fc.array(
    fc.integer({ min: 1, max: 1e9 }).map((n) => n / 3000),
    { minLength: 1, maxLength: 60 },
  );
  fc.assert(
    fc.property(thirds, (cells) => {
      const total = cells.reduce((sum, one) => sum + one, 0);
      const read = replyWith(
        spend({ budget: 100_000 }),
        whole(costs(cells)),
        {},
        { ...TOKENS, total: says({ USD: total }) },
      );
      const { caveats, pctOfTotalShown } = read.structured.summary as JsonObject;
      expect([caveats, pctOfTotalShown]).toEqual([undefined, 100]);
    }),
  );
});

test("no number of any size is lost in a sum", () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (one) => {
      const terms = [1e300, one, -1e300].map((number) => ({ amount: readAmount(number), unit: undefined }));
      expect(addUp(terms).units.get(undefined)!.sum.exact.toNumber() + 0).toBe(one + 0);
    }),
  );
});
