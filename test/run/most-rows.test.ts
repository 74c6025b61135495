import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/model/json.ts";
import { projectEntries, showEntry } from "../../src/run/shape/entry.ts";
import { type Column, listColumns } from "../../src/run/shape/list-columns.ts";
import { measureLeast } from "../../src/run/shape/most-rows.ts";
import { column, expression, rootsOf, value } from "./shape-fixture.ts";

const ROOTS = rootsOf({ names: ["own", "é"] });
const columns = fc
  .subarray([
    column("id"),
    column("é"),
    column("text", { path: expression("id") }),
    column("clipped", { path: expression("text"), clip: 5 }),
    column("rounded", { path: expression("amount"), round: 0 }),
    column("amount"),
    column("made", { path: expression("join('', [id, text])") }),
    column("minor", { path: expression("amount"), form: { as: "minor", unit: value("'EUR'") } }),
    { kind: "columns" as const, names: value("input.names") },
  ])
  .filter((fields) => !fields.some((one) => "name" in one && one.name === "é") || fields.every((one) => "name" in one))
  .map((fields): readonly Column[] => listColumns(fields, ROOTS));
const cell = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.constantFrom<Json>(0, -0, 1_000, -999, 1e21, 1e-7, null, true, false, [], {}, ["a"], { a: 1 }, "\ud800", "\u0001"),
);
const row = fc.dictionary(fc.constantFrom("id", "é", "text", "amount", "own", "__proto__"), cell as fc.Arbitrary<Json>);

describe("what a row takes at least", () => {
  test("is never more than what it takes", () => {
    fc.assert(
      fc.property(columns, fc.oneof(row, cell) as fc.Arbitrary<Json>, (list, source) => {
        const [entry] = projectEntries([source], list, ROOTS);
        const shown = JSON.stringify(showEntry(entry!, list).row);
        expect(measureLeast(list)(source)).toBeLessThanOrEqual(Buffer.byteLength(`${shown},`));
      }),
      { numRuns: 2_000 },
    );
  });

  test("is all of it but the digits of large numbers, where its cells are shown as they came", () => {
    const list = listColumns([column("id"), column("on"), column("no")], ROOTS);
    const source: JsonObject = { id: "i-1", on: true, no: 7 };
    expect(measureLeast(list)(source)).toBe(JSON.stringify(source).length);
  });
});

describe("a row that has what is shown and nothing else", () => {
  test("is shown as any other is", () => {
    fc.assert(
      fc.property(columns, row, (list, source) => {
        const [entry] = projectEntries([source], list, ROOTS);
        const [other] = projectEntries([{ ...source, more: 1 }], list, ROOTS);
        expect(JSON.stringify(entry?.row)).toBe(JSON.stringify(other?.row));
      }),
      { numRuns: 2_000 },
    );
  });
});
