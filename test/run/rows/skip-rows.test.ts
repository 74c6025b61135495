import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { COMMA, scanValue, skipSpace } from "../../../src/run/rows/scan-value.ts";
import { openSkip, type RowSkip } from "../../../src/run/rows/skip-rows.ts";

/** Rows that end with a comma, one after another, as `scanValue` finds them. */
function scanRows(bytes: Uint8Array, most: number): { at: number; count: number } {
  let [at, count] = [skipSpace(bytes, 0), 0];
  for (; count < most; count += 1) {
    const end = scanValue(bytes, at, 256);
    const comma = end < 0 ? end : skipSpace(bytes, end);
    if (comma < 0 || bytes[comma] !== COMMA) break;
    at = skipSpace(bytes, comma + 1);
  }
  return { at, count };
}

const latin = (text: string) => Buffer.from(text).toString("latin1");
const skipAll = ({ skip }: RowSkip, text: string) =>
  skip(latin(text), skipSpace(Buffer.from(text), 0), Number.POSITIVE_INFINITY, 0);
/** One that knows how a row is written, if that can be learned. */
function skipLike(row: string): RowSkip {
  const skips = openSkip();
  skips.skip(latin(`${row},`), 0, 1, 1_000);
  return skips;
}

const row = fc.record(
  {
    id: fc.oneof(fc.string({ unit: "binary" }), fc.integer(), fc.constant(null)),
    "né.w[$]": fc.oneof(fc.double({ noDefaultInfinity: true, noNaN: true }), fc.boolean()),
    owner: fc.oneof(fc.constant(null), fc.record({ login: fc.string({ unit: "binary" }), __proto__: fc.nat() })),
    tags: fc.array(fc.oneof(fc.string(), fc.nat(), fc.array(fc.nat(), { maxLength: 2 })), { maxLength: 3 }),
  },
  { requiredKeys: ["id", "tags"] },
);
const rows = fc.array(row, { minLength: 1, maxLength: 60 });
const gap = fc.constantFrom<string | number>("", " ", 1, "\t");

describe("rows that are passed over", () => {
  test("are those that a scan finds, wherever the text is broken or changed", () => {
    fc.assert(
      fc.property(
        rows,
        gap,
        fc.nat(),
        fc.string({ minLength: 0, maxLength: 2, unit: fc.constantFrom(...'"\\,:[]{}01-.eEtu \u0001é') }),
        fc.nat(3),
        (made, space, place, put, cut) => {
          const text = made.map((one) => `${JSON.stringify(one, null, space)},`).join(space === "" ? "" : "\n ");
          const at = place % (text.length + 1);
          const changed = text.slice(0, at) + put + text.slice(at + cut);
          const found = scanRows(Buffer.from(changed), Number.POSITIVE_INFINITY);
          for (const skip of [openSkip(), skipLike(JSON.stringify(made[0]))])
            expect(skipAll(skip, changed)).toEqual(found);
        },
      ),
    );
  });

  const LONG = 450_000;
  test.each([
    ["a list without an end", `[${"1,".repeat(LONG)}`],
    ["a string of escapes without an end", `"${"\\n".repeat(LONG)}`],
    ["a number without an end", "1".repeat(2 * LONG)],
    ["names without an end", `{${'"a":1,'.repeat(LONG / 3)}`],
    ["whitespace without an end", `[1${" ".repeat(2 * LONG)}`],
    ["lists in lists", "[".repeat(2 * LONG)],
  ])("are none in %s", (_, text) => {
    expect(skipAll(openSkip(), text)).toEqual({ at: 0, count: 0 });
    expect(skipAll(openSkip(), `7,${text}`)).toEqual({ at: 2, count: 1 });
  });

  test("end where there is not to be more, as the rows behind are kept", () => {
    const text = latin('{"a":1},'.repeat(100));
    for (const most of [1, 15, 16, 17, 99])
      expect(openSkip().skip(text, 0, most, 1_000)).toEqual({ at: 8 * most, count: most });
  });
});
