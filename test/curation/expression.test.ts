import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  expressionRoots,
  parseExpression,
  parseUnit,
  parseValue,
  ROOTS,
  valueRoots,
} from "../../src/curation/expression.ts";
import type { Json } from "../../src/model/json.ts";

describe("bare expressions over a body", () => {
  test.each([
    "items",
    "@",
    "@[?type=='StatisticItem']",
    "items[].{path: filename, changes: changes}",
    "records[?disabled==`false`].content",
    "sort_by(items, &cost)[-1].id",
    "charge.id || charge",
    "!(a.b)",
    "!a && !b",
    "!a[0]",
    "!contains(tags, 'x')",
    '"created-at"',
    "a - b",
    "total > `0` ? 'some' : 'none'",
    "let $unit = $.input.unit in items[?unit == $unit]",
    "[available[].{s: 'a', amount: amount}, pending[].{s: 'b', amount: amount}][]",
    "items[?name=='}'].{a: b}",
    "code == 'UNKNOWN_FIELD'",
    "a.toString",
  ])("%s", (text) => expect(parseExpression(text).faults).toEqual([]));

  test.each([
    ["", "bad_expression", /path/],
    ["a.", "bad_expression", /./],
    ["a b", "bad_expression", /quotes|"…"/],
    ["a[", "bad_expression", /./],
    ["'open", "bad_expression", /Close/],
    ["`1", "bad_expression", /Close/],
    ["a == 1", "bad_expression", /backticks/],
    ["a == true", "bad_expression", /backticks/],
    ["a = b", "bad_expression", /==/],
    ["a and b", "bad_expression", /&&/],
    ["!a.b", "bad_expression", /!\(a/],
    ["!a[?b]", "bad_expression", /!\(a/],
    ["items[?!a.b]", "bad_expression", /!\(a/],
    ["created-at", "bad_expression", /"created-at"/],
    ["a[3-1]", "bad_expression", /number/],
    ["&a", "bad_expression", /sort_by/],
    ["let $a, b in c", "bad_expression", /let/],
    ["$input.x", "bad_expression", /\$\.input/],
    ["$nope", "bad_expression", /let \$nope/],
    ["nope(a)", "unknown_function", /Functions/],
    ["lenght(a)", "unknown_function", /`length`/],
    ["constructor(a)", "unknown_function", /Functions/],
    ["length(a, b)", "bad_expression", /1/],
    ["join(',')", "bad_expression", /2/],
    ["$", "forbidden_root", /\$\.input/],
    ["$.*", "forbidden_root", /\$\.input/],
    ["keys($)", "forbidden_root", /\$\.input/],
    ["items[].[id, $]", "forbidden_root", /\$\.input/],
    ["$.env.TOKEN", "forbidden_root", /pin/],
    ["$.steps.a", "forbidden_root", /input, pins/],
    ["$.inptu.a", "unknown_root", /`input`/],
    ["let $r = $ in $r.env.TOKEN", "forbidden_root", /pin/],
    ["$ | env", "forbidden_root", /pin/],
    ["a || $.__proto__", "unknown_root", /input, pins/],
    ["(".repeat(2_000), "bad_expression", /smaller/],
    ["a".repeat(5_000), "bad_expression", /smaller/],
    [`a${".b".repeat(300)}`, "bad_expression", /smaller/],
  ])("%s is refused", (text, code, hint) => {
    const { expression, faults } = parseExpression(text);
    expect(expression).toBeUndefined();
    expect(faults[0]).toMatchObject({ code });
    expect(faults[0]?.hint).toMatch(hint);
  });

  test("no text makes it throw", () => {
    const token = fc.constantFrom(
      "a",
      ".",
      "[",
      "]",
      "[?",
      "{",
      "}",
      "(",
      ")",
      "!",
      "&",
      "|",
      "||",
      "$",
      "$a",
      "let",
      " in ",
      "=",
      "==",
      "`1`",
      "'x'",
      "1",
      "*",
      ",",
      ":",
      "-",
      "?",
      " ",
    );
    fc.assert(
      fc.property(
        fc.array(token, { maxLength: 15 }).map((parts) => parts.join("")),
        (text) => {
          const { expression, faults } = parseExpression(text);
          expect(faults.length === 0).toBe(expression !== undefined);
        },
      ),
      { numRuns: 2_000 },
    );
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void parseExpression(text)));
  });
});

describe("what an expression reads below the roots", () => {
  test.each([
    ["input.x", ["input.x"]],
    ["$.input.x", ["input.x"]],
    ["input", ["input"]],
    ["input.x.y[0].z", ["input.x"]],
    ["keys(input)", ["input"]],
    ["input.*", ["input"]],
    ["input | x", ["input.x"]],
    ["input.[a, b]", ["input.a", "input.b"]],
    ["{a: input.x, b: pins.y}", ["input.x", "pins.y"]],
    ["input.x || pins.y", ["input.x", "pins.y"]],
    ["steps.pull.head.sha", ["steps.pull"]],
    ["steps.checks[?conclusion == $.input.wanted]", ["steps.checks", "input.wanted"]],
    ["map(&join(',', [@, $.pins.p]), steps.list)", ["pins.p", "steps.list"]],
    ["let $i = input in $i.x", ["input.x"]],
    ["let $i = input.x in steps.a[?id == $i]", ["steps.a", "input.x"]],
    ['input."a b"', ["input.a b"]],
    ["'input.x'", []],
  ])("%s", (text, want) => {
    const { expression, faults } = parseExpression(text, ROOTS.item, "roots");
    expect(faults).toEqual([]);
    const reads = expressionRoots(expression!).map(({ root, name }) => (name === undefined ? root : `${root}.${name}`));
    expect(reads.sort()).toEqual([...want].sort());
  });

  test("over a body only $ leads to the roots", () => {
    const { expression } = parseExpression("input.x || $.pins.y");
    expect(expressionRoots(expression!, "data")).toEqual([{ root: "pins", name: "y" }]);
  });

  test("a value tells what all its expressions read, once each", () => {
    const { value } = parseValue({ a: "${input.x} and ${input.y}", b: ["${input.x}", "${pins.p}"] });
    expect(valueRoots(value!)).toEqual([
      { root: "input", name: "x" },
      { root: "input", name: "y" },
      { root: "pins", name: "p" },
    ]);
  });
});

describe("values with ${…} in them", () => {
  const expression = (jmespath: string) => ({ kind: "expression", expression: { jmespath } });
  const cases: [Json, unknown][] = [
    ["plain", { kind: "literal", value: "plain" }],
    [5, { kind: "literal", value: 5 }],
    [null, { kind: "literal", value: null }],
    ["", { kind: "literal", value: "" }],
    ["$5 {a}", { kind: "literal", value: "$5 {a}" }],
    ["$${x}", { kind: "literal", value: "${x}" }],
    ["${input.x}", expression("input.x")],
    ["${ input.x }", expression("input.x")],
    ["${input.a[?n=='}'].{a: b}}", expression("input.a[?n=='}'].{a: b}")],
    ['${input."}"}', expression('input."}"')],
    ["${input.a == 'it\\'s }'}", expression("input.a == 'it\\'s }'")],
    [
      "a ${input.x}-$${y} ${pins.p}",
      { kind: "text", parts: ["a ", { jmespath: "input.x" }, "-${y} ", { jmespath: "pins.p" }] },
    ],
    ["${input.x}${input.y}", { kind: "text", parts: [{ jmespath: "input.x" }, { jmespath: "input.y" }] }],
    [[1, "$${"], { kind: "literal", value: [1, "${"] }],
    [{ a: { b: 1 } }, { kind: "literal", value: { a: { b: 1 } } }],
    [
      { a: "${input.x}", b: 1 },
      {
        kind: "object",
        entries: [
          ["a", expression("input.x")],
          ["b", { kind: "literal", value: 1 }],
        ],
      },
    ],
    [["${input.x}"], { kind: "list", items: [expression("input.x")] }],
  ];
  test.each(cases)("%j", (raw, want) => expect(parseValue(raw)).toEqual({ value: want, faults: [] }));

  test("a fault says where inside the value it is", () => {
    const { value, faults } = parseValue({ a: [1, "${env.X}"], b: "${input.x", c: "${nope.x}" });
    expect(value).toBeUndefined();
    expect(faults.map(({ code, path }) => [code, ...path])).toEqual([
      ["forbidden_root", "a", 1],
      ["bad_expression", "b"],
      ["unknown_root", "c"],
    ]);
  });

  test("env and key are read where secrets belong, and nowhere else", () => {
    expect(parseValue("${env.A}${key.b}", ROOTS.api).faults).toEqual([]);
    expect(parseValue("${env.A}${key.b}", ROOTS.step).faults.map(({ code }) => code)).toEqual([
      "forbidden_root",
      "forbidden_root",
    ]);
    expect(parseValue("${input.a}", ROOTS.pin).faults.map(({ code }) => code)).toEqual(["forbidden_root"]);
  });

  test("every literal text comes back once its ${ is doubled", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("$", "{", "}", "a", "'") }), (text) => {
        // A dollar right before would join with the doubled one, so texts with `$${` have no doubled form.
        fc.pre(!text.includes("$${"));
        expect(parseValue(text.split("${").join("$${"))).toEqual({
          value: { kind: "literal", value: text },
          faults: [],
        });
      }),
    );
  });
});

describe("units", () => {
  test.each([
    ["USD", "data", { kind: "literal", value: "USD" }],
    ["currency", "data", { kind: "expression", expression: { jmespath: "currency" } }],
    ["${currency}", "data", { kind: "expression", expression: { jmespath: "currency" } }],
    ["${$.input.unit}", "data", { kind: "expression", expression: { jmespath: "$.input.unit" } }],
    ["usd", "roots", { kind: "literal", value: "usd" }],
    ["${input.unit}", "roots", { kind: "expression", expression: { jmespath: "input.unit" } }],
  ] as const)("%s over %s", (text, current, want) =>
    expect(parseUnit(text, ROOTS.call, current)).toEqual({ value: want, faults: [] }),
  );
});
