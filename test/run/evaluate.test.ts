import { search } from "@jmespath-community/jmespath";
import { describe, expect, test } from "vitest";
import { ExpressionFailed, ToolError } from "../../src/model/errors.ts";
import type { Json } from "../../src/model/json.ts";
import type { Value } from "../../src/model/value.ts";
import { evaluateExpression, evaluateValue, type Roots } from "../../src/run/expressions/evaluate.ts";

const roots: Roots = {
  input: { a: 1, text: "t", list: [1, 2], none: null },
  pins: { tenant: "t-1" },
  env: { KEY: "k" },
};
const run = (jmespath: string, current: unknown, at: Roots = roots): Json =>
  evaluateExpression({ jmespath }, current, at);

const rows = [
  { name: "b", cost: 10, tags: ["x"], at: { day: "2026-01-02" } },
  { name: "a", cost: 9.5, tags: [], at: null },
  { name: "ä", cost: 100, tags: ["x", "y"] },
];

describe("what the library answers too", () => {
  const body = { rows, o: { p: { q: 1 } }, empty: [], text: "añb", n: [3, 1, 2], s: ["b", "a"] } as never;
  test.each([
    "rows[].name",
    "rows[*].at.day",
    "rows[?cost > `9.6`].name",
    "rows[?tags[0]=='x' && cost < `50`] | [0].name",
    "rows[-1].name",
    "rows[9]",
    "rows[1:].name",
    "rows[::-1].name",
    "rows[:0]",
    "text[0:2]",
    "o.*.q",
    "o.p.{x: q, y: zz}",
    "o.p.[q, zz]",
    "rows[].tags[]",
    "rows[].tags",
    "missing.deep.er",
    "empty || o.p",
    "empty && o.p",
    "!empty",
    "!rows",
    "o == {p: {q: `1`}}",
    "o != `{}`",
    "length(rows)",
    "length(text)",
    "length(o)",
    "keys(o)",
    "values(o.p)",
    "items(o.p)",
    "from_items([['a', `1`]])",
    "sort(s)",
    "sort_by(rows, &name)[].name",
    "sort_by(rows, &cost)[].name",
    "max_by(rows, &cost).name",
    "min_by(rows, &cost).name",
    "max(n)",
    "min(n)",
    "max(s)",
    "sum(n)",
    "avg(n)",
    "avg(empty)",
    "reverse(n)",
    "reverse(text)",
    "map(&cost, rows)",
    "map(&at.day, rows)",
    "group_by(rows, &name)",
    "join('-', s)",
    "contains(s, 'a')",
    "contains(text, 'ñ')",
    "starts_with(text, 'a')",
    "ends_with(text, 'b')",
    "merge(o, {z: `1`})",
    "not_null(missing, o.p.q)",
    "to_string(o)",
    "to_number('12.5')",
    "to_number('x')",
    "to_array(o.p.q)",
    "type(rows)",
    "type(missing)",
    "upper(text)",
    "lower('AB')",
    "abs(`-1`)",
    "ceil(`1.2`)",
    "floor(`-1.2`)",
    "find_first('abcabc', 'c')",
    "find_last('abcabc', 'a')",
    "find_first('abc', 'x')",
    "pad_left('7', `3`, '0')",
    "pad_right('7', `3`)",
    "replace('aaa', 'a', 'b', `2`)",
    "split('a,b,c', ',')",
    "split('a,b,c', ',', `1`)",
    "trim('  a ')",
    "trim_left('xxa', 'x')",
    "trim_right('axx', 'x')",
    "zip(n, s)",
    "n[0] + n[1] * `2`",
    "-n[0]",
    "n[0] % `2`",
    "n[0] // `2`",
    "let $x = n[0] in o.p.[q, $x]",
    "missing ? 'a' : 'b'",
    "@.text",
    "text < 'b'",
  ])("%s", (expression) => {
    expect(run(expression, body)).toEqual(search(body, expression));
  });
});

describe("what the library answers otherwise, and wrongly", () => {
  const body = {
    rows,
    n: [10, 9, 1],
    cents: [0.1, 0.2],
    fake: { expref: true, type: "Field", name: "secret" },
    secret: "s",
  };
  const cases: [string, unknown][] = [
    ["sort(n)", [1, 9, 10]],
    ["sum(cents)", 0.3],
    ["cents[0] + cents[1]", 0.3],
    ["max_by(rows, &name).name", "ä"],
    ["let $least = `9.6` in map(&(cost > $least), rows)", [true, false, true]],
    ["contains(rows[].at, {day: '2026-01-02'})", true],
    ["trim('\n a \n')", "a"],
  ];
  test.each(cases)("%s", (expression, want) => {
    expect(run(expression, body)).toEqual(want);
  });
  test("data that looks like the library's own nodes is not run", () => {
    expect(() => run("map(fake, rows)", body)).toThrow(ExpressionFailed);
  });
});

describe("only own properties are read", () => {
  const hostile = JSON.parse('{"__proto__": {"x": 1}, "own": {"constructor": "mine"}, "list": [1], "text": "abc"}');
  const cases: [string, unknown][] = [
    ["constructor", null],
    ["toString", null],
    ["constructor.name", null],
    ["list.length", null],
    ["text.length", null],
    ["own.hasOwnProperty", null],
    ['"__proto__".x', 1],
    ['own."__proto__"', null],
    ["own.constructor", "mine"],
    ["$.constructor", null],
    ["$.input.constructor", null],
    ['$.input."__proto__"', null],
  ];
  test.each(cases)("%s", (expression, want) => {
    expect(run(expression, hostile)).toEqual(want);
  });
  test("a key `__proto__` that is made is a key like any other", () => {
    const made = run('{"__proto__": list}', hostile) as object;
    expect([Object.keys(made), Object.getPrototypeOf(made)]).toEqual([["__proto__"], Object.prototype]);
    expect(Object.keys(run("merge(@, `{}`)", hostile) as object)).toContain("__proto__");
    expect(Object.keys(run("group_by([{k: '__proto__'}], &k)", {}) as object)).toEqual(["__proto__"]);
  });
  test.each(["constructor(@)", "toString(@)", "__proto__(@)", "nosuch(@)"])("%s is no function", (expression) => {
    expect(() => run(expression, {})).toThrow(ExpressionFailed);
  });
});

describe("current node and roots", () => {
  const cases: [string, unknown, unknown][] = [
    ["x", { x: 1 }, 1],
    ["$.input.a", { x: 1 }, 1],
    ["$.pins.tenant", null, "t-1"],
    ["input.a", roots, 1],
    ["rows[?id == $.input.a].id", { rows: [{ id: 1 }, { id: 2 }] }, [1]],
    ["[0].{x: @, y: $.input.text}", [5], { x: 5, y: "t" }],
    ["$.steps.a", {}, null],
    ["x", undefined, null],
    // `!` binds tighter than a dot in every JMESPath: this reads a field of `false`.
    ["!$.input.a", {}, null],
    ["&x", {}, null],
    ["!($.input.missing)", {}, true],
    ["big", { big: "9007199254740993" }, "9007199254740993"],
  ];
  test.each(cases)("%s of %j", (expression, current, want) => {
    expect(run(expression, current)).toEqual(want);
  });
});

describe("what cannot be evaluated fails with one class", () => {
  test.each([
    "length(@)",
    "sort([`1`, 'a'])",
    "sort_by(@, &x)",
    "sort_by([{x: `1`}, {x: 'a'}], &x)",
    "sort_by([{x: `1`}, {}], &x)",
    "abs('x')",
    "join(',', [`1`])",
    "$x",
    "`1` / `0`",
    "'a' + `1`",
    "a..b",
    "",
    "from_items([[`1`, `2`]])",
    "[1:2:0]",
    "pad_left('x', `-1`)",
    "max_by([{a: []}], &a)",
    "abs(`1`, `2`)",
    "abs()",
    "group_by([{}], &x)",
  ])("%s", (expression) => {
    expect(() => run(expression, expression === "[1:2:0]" ? [1] : null)).toThrow(ExpressionFailed);
  });
});

describe("a bomb ends quickly", () => {
  const twice = (times: number, what: string) => Array(times).fill(what).join(" | ");
  const long = Array.from({ length: 3000 }, (_, index) => index);
  const cases: [string, string, unknown][] = [
    ["a list that holds itself over and over", twice(60, "[@, @]"), 1],
    ["an object that does", twice(60, "{a: @, b: @}"), 1],
    ["the same, compared", `(${twice(40, "[@, @]")}) == (${twice(40, "[@, @]")})`, 1],
    ["the same, as text", `${twice(40, "[@, @]")} | to_string(@)`, 1],
    ["a list that doubles", twice(60, "[@, @][]"), [1, 2]],
    ["a text that doubles", twice(60, "join('', [@, @])"), "ab"],
    ["a text that is padded", "pad_left('a', `2000000000`)", 1],
    ["a text that grows by replacement", twice(12, "replace(@, 'a', 'aaaaaaaaaa')"), "a"],
    ["loops in loops", "map(&map(&map(&@, $.input.long), $.input.long), $.input.long)", 1],
    ["filters in filters", "[?$.input.long[?$.input.long[?@ == `-1`]]]", long],
    ["nesting", `${"[".repeat(5000)}a${"]".repeat(5000)}`, 1],
    ["nesting in parentheses", `${"(".repeat(9000)}a${")".repeat(9000)}`, 1],
    ["a chain", Array(3000).fill("a").join("."), 1],
    ["a long source", `'${"a".repeat(30_000)}'`, 1],
    ["a long run of spaces", "map(&trim($.input.spaces), $.input.long)", 1],
  ];
  test.each(cases)("%s", (_title, expression, current) => {
    const at = { input: { long, spaces: `x${" ".repeat(100_000)}x` }, pins: {} };
    const start = performance.now();
    expect(() => run(expression, current, at)).toThrow(ExpressionFailed);
    expect(performance.now() - start).toBeLessThan(5000);
  });

  test("a large honest body passes", () => {
    const many = Array.from({ length: 100_000 }, (_, id) => ({ id, cost: id / 7, name: `row ${id}` }));
    expect(run("length(rows[?cost > `3` && starts_with(name, 'row')].{id: id, name: name})", { rows: many })).toBe(
      99_978,
    );
  });
});

describe("values of the curation", () => {
  const of = (jmespath: string): Value => ({ kind: "expression", expression: { jmespath } });
  const text = (...parts: (string | { jmespath: string })[]): Value => ({ kind: "text", parts });
  const cases: [string, Value, unknown][] = [
    ["a literal stays", { kind: "literal", value: { a: [null] } }, { a: [null] }],
    ["an expression keeps its type", of("input.list"), [1, 2]],
    ["an expression without a value is null", of("input.missing"), null],
    ["a text takes numbers and texts", text("/", { jmespath: "input.a" }, "/", { jmespath: "pins.tenant" }), "/1/t-1"],
    ["a text takes booleans", text("is ", { jmespath: "!(input.a)" }), "is false"],
    [
      "an object leaves out what has no value",
      {
        kind: "object",
        entries: [
          ["a", of("input.a")],
          ["b", of("input.none")],
          ["c", { kind: "literal", value: null }],
        ],
      },
      { a: 1, c: null },
    ],
    ["a list keeps its places", { kind: "list", items: [of("input.a"), of("input.none")] }, [1, null]],
  ];
  test.each(cases)("%s", (_title, value, want) => {
    expect(evaluateValue(value, roots)).toEqual(want);
  });
  test.each([["input.none"], ["input.list"], ["input"]])("a text does not take %s", (jmespath) => {
    expect(() => evaluateValue(text("x", { jmespath }), roots)).toThrow(ToolError);
  });
});
