import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/model/json.ts";
import { evaluateExpression } from "../../src/run/expressions/evaluate.ts";
import { namesRead } from "../../src/run/expressions/names-read.ts";
import { expression, rootsOf } from "./shape-fixture.ts";

const given: [jmespath: string, want: readonly string[]][] = [
  ["a", ["a"]],
  ["`1`", []],
  ["$.input.d", []],
  ["a.b.c", ["a"]],
  ["a[0]", ["a"]],
  ["a[1:]", ["a"]],
  ["a | b", ["a"]],
  ["a[*].b", ["a"]],
  ["a.*.b", ["a"]],
  ["a[?b == c].d", ["a"]],
  ["a[].b", ["a"]],
  ["!a", ["a"]],
  ["-a", ["a"]],
  ["a < b", ["a", "b"]],
  ["a + b", ["a", "b"]],
  ["a || b", ["a", "b"]],
  ["a && b", ["a", "b"]],
  ["a ? b : c", ["a", "b", "c"]],
  ["[a, b]", ["a", "b"]],
  ["{x: a, y: b.c}", ["a", "b"]],
  ["join(b, map(&c, a))", ["b", "a"]],
];

const inner = fc.oneof(
  fc.constantFrom<Json>(null, true, 0, 1, 2, "", "t"),
  fc.constantFrom<Json>([], ["t", "u"], [1], { b: 1 }, { b: { c: "t" } }, [{ b: 1, c: "t", d: 2 }, { b: 2 }]),
);
const rows = fc.dictionary(fc.constantFrom("a", "b", "c", "d", "x", "y"), inner);

function outcome(jmespath: string, row: JsonObject): unknown {
  try {
    return evaluateExpression(expression(jmespath), row, rootsOf({ d: 1 }));
  } catch (error) {
    return String(error);
  }
}

test.each(given)("%s reads %j, and gives the same where a row has nothing else", (jmespath, want) => {
  expect(namesRead(expression(jmespath))).toEqual(want);
  fc.assert(
    fc.property(rows, (row) => {
      const kept = Object.fromEntries(Object.entries(row).filter(([name]) => want.includes(name)));
      expect(outcome(jmespath, kept)).toEqual(outcome(jmespath, row));
    }),
  );
});

test.each(["@", "@.a", "*", "[0]", "[?a]", "keys(@)", "a || length(@)", "map(&a, [@])", "let $x = a in $x"])(
  "%s may read anything",
  (jmespath) => {
    expect(namesRead(expression(jmespath))).toBeUndefined();
  },
);
