import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { joinAlways } from "../../src/filter/join-always.ts";
import { type FilterRules, readFilter } from "../../src/filter/read-filter.ts";
import { NotExpressible } from "../../src/filter/refusal.ts";
import { renderFilter } from "../../src/filter/render-filter.ts";
import { writeFilter } from "../../src/filter/write-filter.ts";
import type { Condition, FilterField } from "../../src/model/filter.ts";
import type { Json, JsonObject } from "../../src/model/json.ts";
import { conditions, makeFields } from "./conditions.ts";

const FIELDS: readonly FilterField[] = [
  ...makeFields((name) => name),
  { name: "created", to: "created", type: "date-time", nullable: false, as: { as: "unix" } },
  { name: "flag", to: "flag", type: "string", nullable: true, ops: ["eq", "is_null"] },
  {
    name: "level",
    to: "level",
    type: "enum",
    nullable: true,
    values: [
      { text: "1", wire: 1 },
      { text: "2", wire: 2 },
    ],
  },
];
const RULES: FilterRules = {
  fields: new Map(FIELDS.map((field) => [field.name, field])),
  depth: 2,
  convert: (_, value) =>
    String(value).startsWith("1") ? { fault: "it is too old" } : { value: Date.parse(String(value)) / 1000 },
};

const read = (raw: unknown, rules: Partial<FilterRules> = {}) => readFilter(raw, { ...RULES, ...rules });
function conditionOf(raw: unknown, rules: Partial<FilterRules> = {}): Condition {
  const reading = read(raw, rules);
  if (reading.faults) throw new Error(JSON.stringify(reading.faults));
  return reading.condition!;
}
const single = (field: string, op: string, value?: Json): JsonObject => ({
  kind: "single",
  field,
  op,
  ...(value !== undefined && { value }),
});

describe("what is read", () => {
  const applied: readonly (readonly [string, unknown, Json])[] = [
    ["one condition", single("name", "eq", "a"), { kind: "single", field: "name", op: "eq", value: "a" }],
    [
      "a list",
      { kind: "single", field: "qty", op: "in", values: ["1", 2] },
      { kind: "single", field: "qty", op: "in", values: ["1", "2"] },
    ],
    ["no value", single("name", "is_null"), { kind: "single", field: "name", op: "is_null" }],
    [
      "a group",
      { kind: "composite", match: "none", conditions: [single("name", "eq", "a")] },
      { kind: "composite", match: "none", conditions: [single("name", "eq", "a")] },
    ],
    ["kind left out of a condition", { field: "name", op: "eq", value: "a" }, single("name", "eq", "a")],
    [
      "kind left out of a group",
      { match: "all", conditions: [{ field: "name", op: "is_null" }] },
      { kind: "composite", match: "all", conditions: [single("name", "is_null")] },
    ],
    [
      "nulls for what is not set",
      { ...single("name", "eq", "a"), values: null, match: null, conditions: null },
      single("name", "eq", "a"),
    ],
    ["JSON text", JSON.stringify(single("name", "eq", "a")), single("name", "eq", "a")],
    ["a number for its digits", single("amount", "gte", 12.5), single("amount", "gte", "12.5")],
    ["a truth value for its word", single("active", "eq", true), single("active", "eq", "true")],
    ["a text with white space around it", single("name", "eq", " a "), single("name", "eq", " a ")],
    ["digits that no number holds", single("qty", "eq", "9007199254740993"), single("qty", "eq", "9007199254740993")],
    [
      "a date-time in its zone",
      single("at", "lt", "2026-01-31T01:30:00.500+02:00"),
      single("at", "lt", "2026-01-30T23:30:00.5Z"),
    ],
    [
      "a value of a form, in the caller's own",
      single("created", "gte", "2026-01-31T00:00:00Z"),
      single("created", "gte", "2026-01-31T00:00:00Z"),
    ],
    ["a listed number", single("level", "eq", 2), single("level", "eq", "2")],
    ["minus nothing", single("qty", "eq", "-0"), single("qty", "eq", "0")],
  ];
  test.each(applied)("%s", (_, raw, want) => expect(renderFilter(conditionOf(raw))).toStrictEqual(want));

  test("nothing is no filter", () => {
    expect(read(undefined)).toStrictEqual({});
    expect(read(null)).toStrictEqual({});
  });

  test("values come in the upstream's form", () => {
    const literalOf = (raw: unknown) => {
      const condition = conditionOf(raw);
      return condition.kind === "compare" ? condition.value : undefined;
    };
    expect(literalOf(single("created", "gte", "2026-01-31T00:00:00Z"))).toStrictEqual({
      type: "integer",
      text: "1769817600",
      wire: 1769817600,
      caller: "2026-01-31T00:00:00Z",
    });
    expect(literalOf(single("level", "eq", "2"))).toStrictEqual({ type: "integer", text: "2", wire: 2, caller: "2" });
    expect(literalOf(single("amount", "eq", "0.10"))).toStrictEqual({ type: "decimal", text: "0.10", wire: 0.1 });
    expect(literalOf(single("amount", "eq", "0.1000000000000000055511151231257827"))).toMatchObject({
      wire: "0.1000000000000000055511151231257827",
    });
    expect(literalOf(single("active", "eq", "false"))).toStrictEqual({ type: "boolean", text: "false", wire: false });
  });

  test("paths lead to where a condition stands", () => {
    const raw = {
      match: "all",
      conditions: [single("name", "eq", "a"), { match: "any", conditions: [single("qty", "gt", "1")] }],
    };
    const condition = conditionOf(raw, { path: "args.filter" });
    expect(condition).toMatchObject({
      path: "args.filter",
      conditions: [
        { path: "args.filter.conditions[0]" },
        { conditions: [{ path: "args.filter.conditions[1].conditions[0]" }] },
      ],
    });
  });

  test("what was applied, sent again, means the same", () => {
    const fields = makeFields((name) => name);
    fc.assert(
      fc.property(conditions(fields), (condition) => {
        const again = conditionOf(renderFilter(condition), { depth: 3 });
        expect(renderFilter(again)).toStrictEqual(renderFilter(condition));
      }),
    );
  });
});

const ten = Array.from({ length: 10 }, () => single("name", "eq", "a"));

describe("what is refused", () => {
  const cases: readonly (readonly [string, unknown, JsonObject])[] = [
    ["what is no object", [1], { code: "invalid_arguments", path: "filter", got: [1] }],
    ["text that is no JSON", "name = a", { path: "filter", got: "name = a" }],
    ["neither the one nor the other", {}, { path: "filter.kind", allowed: ["single", "composite"] }],
    ["both at once", { field: "name", match: "all" }, { path: "filter.kind" }],
    ["another kind", { kind: "and" }, { path: "filter.kind", got: "and" }],
    ["what a condition does not have", { ...single("name", "eq", "a"), match: "all" }, { path: "filter.match" }],
    ["what nothing has", { ...single("name", "eq", "a"), fuzzy: true }, { path: "filter.fuzzy" }],
    [
      "a field that is not there",
      single("nmae", "eq", "a"),
      { code: "unknown_fields", path: "filter.field", got: "nmae", nearest: ["name"] },
    ],
    ["a field of the prototype", single("__proto__", "eq", "a"), { code: "unknown_fields", path: "filter.field" }],
    ["no field", { kind: "single", op: "eq", value: "a" }, { code: "invalid_arguments", path: "filter.field" }],
    [
      "an operator that is not there",
      single("name", "like", "a"),
      { code: "invalid_arguments", path: "filter.op", got: "like" },
    ],
    [
      "an operator that the field has not",
      single("flag", "ne", "a"),
      { code: "filter_not_expressible", path: "filter.op", got: "ne", allowed: ["eq", "is_null"] },
    ],
    ["a value too many", single("name", "is_null", "a"), { path: "filter.value" }],
    ["a value for a list", single("name", "in", "a"), { path: "filter.value" }],
    ["a list for a value", { kind: "single", field: "name", op: "eq", values: ["a"] }, { path: "filter.value" }],
    ["no value", single("name", "eq"), { path: "filter.value" }],
    ["an empty list", { kind: "single", field: "name", op: "in", values: [] }, { path: "filter.values", got: 0 }],
    [
      "a list of too many",
      { kind: "single", field: "qty", op: "in", values: Array(101).fill("1") },
      { path: "filter.values", got: 101 },
    ],
    [
      "a value in a list",
      { kind: "single", field: "qty", op: "in", values: ["1", "x"] },
      { path: "filter.values[1]", got: "x" },
    ],
    ["a value that is an object", single("name", "eq", { $ne: "" }), { path: "filter.value" }],
    [
      "a group without match",
      { kind: "composite", conditions: [single("name", "eq", "a")] },
      { path: "filter.match", allowed: ["all", "any", "none"] },
    ],
    [
      "a group of another match",
      { kind: "composite", match: "or", conditions: [single("name", "eq", "a")] },
      { path: "filter.match", got: "or" },
    ],
    ["a group of none", { kind: "composite", match: "all", conditions: [] }, { path: "filter.conditions", got: 0 }],
    [
      "a group of eleven",
      { kind: "composite", match: "all", conditions: [...ten, single("name", "eq", "a")] },
      { path: "filter.conditions", got: 11 },
    ],
    [
      "more than 25 together",
      {
        kind: "composite",
        match: "any",
        conditions: [1, 2, 3].map(() => ({ kind: "composite", match: "all", conditions: ten })),
      },
      { path: "filter" },
    ],
    [
      "a group nested too deep",
      {
        match: "all",
        conditions: [{ match: "any", conditions: [{ match: "all", conditions: [single("name", "eq", "a")] }] }],
      },
      { path: "filter.conditions[0].conditions[0]" },
    ],
    [
      "a value that its form does not take",
      single("created", "gte", "1999-01-01T00:00:00Z"),
      { path: "filter.value", got: "1999-01-01T00:00:00Z" },
    ],
    [
      "what is not listed",
      single("status", "eq", "actve"),
      { path: "filter.value", got: "actve", nearest: ["active"], allowed: ["active", "past_due", "closed"] },
    ],
  ];
  test.each(cases)("%s", (_, raw, want) => {
    const { faults } = read(raw);
    expect(faults?.[0]).toMatchObject({ code: "invalid_arguments", ...want });
    expect(faults?.[0]?.message).toMatch(/\.$/);
  });

  const VALUES: readonly (readonly [string, readonly Json[]])[] = [
    [
      "qty",
      [
        "",
        " 5",
        "5 ",
        "1e3",
        "NaN",
        "+5",
        "05",
        "5.0",
        "0x10",
        "١",
        "Infinity",
        1.5,
        1e21,
        9007199254740992,
        true,
        "1,000",
      ],
    ],
    ["amount", ["", " 5", "1e3", "NaN", "+5", ".5", "5.", "05.5", "1,5", "12.5.1", 1e-7, "--1"]],
    ["active", ["", "yes", "1", "True", "TRUE", " true", 1, 0]],
    [
      "day",
      [
        "",
        "2026-02-30",
        "2026-13-01",
        "2026-1-1",
        "31.01.2026",
        "2026-01-31T00:00:00Z",
        "0000-01-01",
        "yesterday",
        20260131,
      ],
    ],
    [
      "at",
      [
        "",
        "2026-01-31",
        "2026-01-31T00:00:00",
        "2026-02-30T00:00:00Z",
        "2026-01-31T24:00:00Z",
        "2026-01-31 00:00:00Z",
        "2026-01-31T00:00:60Z",
        "0001-01-01T00:00:00+01:00",
        "9999-12-31T23:59:59-01:00",
        "now",
        1769817600,
      ],
    ],
    ["status", ["", "ACTIVE", " active", "active,closed"]],
    ["name", ["", "x".repeat(2001)]],
  ];
  test.each(VALUES)("a value of %s that is none of its type", (field, values) => {
    for (const value of values)
      expect([value, read(single(field, "eq", value)).faults?.[0]?.path]).toStrictEqual([value, "filter.value"]);
  });

  test("all that is wrong, at once", () => {
    const raw = {
      match: "all",
      conditions: [single("nmae", "eq", "a"), single("qty", "eq", "x"), single("flag", "ne", "a")],
    };
    expect(read(raw).faults?.map(({ code, path }) => [code, path])).toStrictEqual([
      ["unknown_fields", "filter.conditions[0].field"],
      ["invalid_arguments", "filter.conditions[1].value"],
      ["filter_not_expressible", "filter.conditions[2].op"],
    ]);
  });

  test("a group where only one condition can be said", () => {
    expect(read({ match: "all", conditions: [single("name", "eq", "a")] }, { depth: 0 }).faults?.[0]?.path).toBe(
      "filter",
    );
  });

  test("anything at all never throws", () => {
    fc.assert(fc.property(fc.jsonValue(), (raw) => void read(raw)));
  });
});

describe("conditions that no caller sees", () => {
  const fields = new Map(FIELDS.map((field) => [field.name, field]));
  const join = (always: JsonObject, caller?: Condition) =>
    joinAlways(always, caller, { fields, convert: RULES.convert! });
  const text = (always: JsonObject, caller?: Condition) => {
    const condition = join(always, caller);
    const written = condition && writeFilter(condition, { dialect: "odata" });
    return written?.kind === "text" ? written.text : undefined;
  };
  const caller = conditionOf({ match: "any", conditions: [single("name", "eq", "a"), single("qty", "eq", "1")] });

  const cases: readonly (readonly [string, JsonObject, Condition | undefined, string | undefined])[] = [
    ["are equalities", { name: "a" }, undefined, "name eq 'a'"],
    [
      "hold beside the caller's",
      { name: "x' or 'a' eq 'a" },
      caller,
      "name eq 'x'' or ''a'' eq ''a' and (name eq 'a' or qty eq 1)",
    ],
    ["may name an operator", { "qty.gte": 5, "qty.lt": "9" }, undefined, "qty ge 5 and qty lt 9"],
    ["of a list are one of it", { qty: [5, 6] }, undefined, "qty eq 5 or qty eq 6"],
    ["may exclude a list", { "size.not_in": [5, 6] }, undefined, "size ne 5 and size ne 6"],
    [
      "may ask for what has no value",
      { "name.is_null": true, "qty.is_null": false },
      undefined,
      "name eq null and qty ne null",
    ],
    ["that are null are absent", { name: null, qty: 1 }, undefined, "qty eq 1"],
    [
      "are converted to their field's form",
      { "created.gte": "2026-01-31T00:00:00Z" },
      undefined,
      "created ge 1769817600",
    ],
    [
      "may name a field that callers have not",
      { repo: "o/r", "stars.gt": 1, open: true, rate: 1.5 },
      undefined,
      "repo eq 'o/r' and stars gt 1 and open eq true and rate eq 1.5",
    ],
    ["take a dot that names no operator as part of the name", { "user.login": "a" }, undefined, "user.login eq 'a'"],
    ["are none where there is nothing", {}, undefined, undefined],
    ["leave the caller's own alone where there is nothing", { name: null }, caller, "name eq 'a' or qty eq 1"],
  ];
  test.each(cases)("%s", (_, always, given, want) => expect(text(always, given)).toBe(want));

  test.each<readonly [string, JsonObject]>([
    ["always.qty", { qty: "many" }],
    ["always.name", { name: { $ne: "" } }],
    ["always.qty", { qty: [] }],
    ["always.name.is_null", { "name.is_null": "yes" }],
    ["always.name", { name: "" }],
  ])("%s is refused at its own path", (path, always) => {
    expect(() => join(always)).toThrow(expect.objectContaining({ path }));
    expect(() => join(always)).toThrow(NotExpressible);
  });

  test("that the language cannot say are refused at their own path", () => {
    const condition = join({ "name.contains": "a" }, caller)!;
    expect(() => writeFilter(condition, { dialect: "rsql" })).toThrow(
      expect.objectContaining({ path: "always.name.contains" }),
    );
  });
});
