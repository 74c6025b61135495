import { describe, expect, test } from "vitest";
import type { Json } from "../../src/model/json.ts";
import type { Place } from "../../src/model/place.ts";
import type { Input, Tool } from "../../src/model/tool.ts";
import type { ValueType } from "../../src/model/value.ts";
import { pinnedNames } from "../../src/run/arguments/pinned-names.ts";
import { exactNumber } from "../../src/run/request/exact-number.ts";
import { input, refusal, send, toolOf, validate } from "./validate-fixture.ts";

const BIG_DIGITS = "9007199254740993";
const text: ValueType = { kind: "string" };
const integer: ValueType = { kind: "integer" };
const number: ValueType = { kind: "number" };
const boolean: ValueType = { kind: "boolean" };
const texts: ValueType = { kind: "array", items: text };
const digits: ValueType = { kind: "integer", digits: true };
const status: ValueType = {
  kind: "enum",
  values: [
    { text: "open", wire: "OPEN" },
    { text: "2", wire: 2 },
    { text: "true", wire: true },
  ],
};
const person: ValueType = {
  kind: "object",
  properties: [
    { name: "name", wire: "$name", required: true, type: text },
    { name: "age", wire: "age", required: false, type: integer },
    { name: "note", wire: "note", required: false, type: { kind: "string", nullable: true } },
  ],
};
const map: ValueType = { kind: "map", values: integer };
const json: ValueType = { kind: "json" };
const textOrNumber: ValueType = { kind: "json", texts: [text] };
const textOrList: ValueType = { kind: "json", texts: [text], nested: true };
const choiceOrNumber: ValueType = { kind: "json", texts: [{ kind: "enum", values: [{ text: "auto", wire: "auto" }] }] };
const versions: ValueType = {
  kind: "enum",
  values: ["1.0", "1.1", "1.10"].map((one) => ({ text: one, wire: one })),
};
const things: ValueType = {
  kind: "enum",
  values: [{ a: 1, b: [true, null] }, { a: BIG_DIGITS }].map((wire) => ({ text: JSON.stringify(wire), wire })),
};
const bigChoice: ValueType = { kind: "enum", values: [{ text: "9007199254740992", wire: "9007199254740992" }] };
const BIG = exactNumber("9007199254740993");

describe("what clients send becomes what the upstream takes", () => {
  const cases: readonly [title: string, type: ValueType, given: Json, want: Json][] = [
    ["a text", text, "a", "a"],
    ["a text that looks like JSON stays a text", text, '["keep"]', '["keep"]'],
    ["a number where a text is wanted becomes its digits", text, 5, "5"],
    ["an integer", integer, 5, 5],
    ["an integer as text", integer, "5", 5],
    ["a negative integer as text", integer, "-5", -5],
    ["a whole number with a fraction of zero", integer, 5.0, 5],
    ["a number as text", number, "0.1", 0.1],
    ["a boolean as text", boolean, "true", true],
    ["a boolean as Python writes it", boolean, "False", false],
    ["an enum text becomes the upstream's value", status, "open", "OPEN"],
    ["an enum of objects takes the object", things, { b: [true, null], a: 1 }, { a: 1, b: [true, null] }],
    ["and its text", things, '{"a":1,"b":[true,null]}', { a: 1, b: [true, null] }],
    ["and its text written otherwise", things, '{ "b": [true, null], "a": 1 }', { a: 1, b: [true, null] }],
    ["an enum of numbers takes the number", status, 2, 2],
    ["an enum of booleans takes the boolean", status, true, true],
    ["a list as JSON text", texts, '["a","b"]', ["a", "b"]],
    ["one text for a list of texts", texts, "a", ["a"]],
    ["items are coerced as well", { kind: "array", items: integer }, ["1", 2], [1, 2]],
    ["an object under the upstream's names", person, { name: "A", age: "3" }, { $name: "A", age: 3 }],
    ["an object as JSON text", person, '{"name":"A"}', { $name: "A" }],
    ["a null that the upstream takes is kept", person, { name: "A", note: null }, { $name: "A", note: null }],
    ["a null that it does not take is left out", person, { name: "A", age: null }, { $name: "A" }],
    ["a map from a list of keys and values", map, [{ key: "a", value: "1" }], { a: 1 }],
    ["a map from a plain object", map, { a: 1 }, { a: 1 }],
    ["free-form data as JSON text", json, '{"k":1}', { k: 1 }],
    ["free-form data as it is", json, { k: [1] }, { k: [1] }],
    ["a text that is no JSON stays one", json, "k=1", "k=1"],
    ["small digits become a number", digits, "12", 12],
    ["digits beyond 2^53 are kept to the last", digits, "9007199254740993", "9007199254740993"],
    [
      "in a list they are a number of exactly these digits",
      { kind: "array", items: digits, uniqueItems: true },
      ["9007199254740993", "9007199254740995"],
      [exactNumber("9007199254740993"), exactNumber("9007199254740995")],
    ],
    [
      "an integer beyond 2^53 is kept to the last digit where digits are not expected",
      integer,
      "9007199254740993",
      "9007199254740993",
    ],
    [
      "a decimal that a number cannot hold is kept whole",
      number,
      "0.12345678901234567890123",
      "0.12345678901234567890123",
    ],
    ["a number that one text of an enum spells", versions, 1, "1.0"],
    [
      "a number as an enum spells it, in a JSON text",
      { kind: "array", items: versions },
      "[1.10, 1.0]",
      ["1.10", "1.0"],
    ],
    [
      "numbers in the JSON text of free-form data are kept to the last digit",
      json,
      '{"id":9007199254740993,"d":0.1000000000000000055,"e":1.50}',
      { id: BIG, d: exactNumber("0.1000000000000000055"), e: 1.5 },
    ],
    ["a number beyond what a double holds, too", json, "[1e400]", [exactNumber("1e400")]],
    ["free-form data that is one number", json, "9007199254740993", BIG],
    ["integers in the JSON text of a list", { kind: "array", items: digits }, "[9007199254740993,1]", [BIG, 1]],
    [
      "a number for a text inside a JSON text is what was written",
      { kind: "array", items: text },
      "[1.10,9007199254740993,0.50]",
      ["1.10", "9007199254740993", "0.50"],
    ],
    ["what looks like our own mark is a text", json, '{"a":"number:1","n":1.0}', { a: "number:1", n: 1 }],
    [
      "an own __proto__ of a JSON text stays one",
      json,
      '{"__proto__":9007199254740993}',
      Object.fromEntries([["__proto__", BIG]]),
    ],
    ...["1.10", "1e5", "5", "true", "null", '"quoted"', "[1]", '{"a":1}'].map(
      (one): [string, ValueType, Json, Json] => [
        `${one} where a text or a number is taken stays a text`,
        textOrNumber,
        one,
        one,
      ],
    ),
    ["a number there stays one", textOrNumber, 1.5, 1.5],
    ["a list as JSON text where a text or a list is taken", textOrList, '["a"]', ["a"]],
    ["a text there, whatever it looks like", textOrList, "5", "5"],
    ["a text that is none of those taken is read as JSON", choiceOrNumber, "5", 5],
    ["a text that is one of those taken", choiceOrNumber, "auto", "auto"],
    ["null in a list that may hold it", { kind: "array", items: { ...integer, nullable: true } }, [null, 1], [null, 1]],
  ];
  test.each(cases)("%s", async (_, type, given, want) => {
    expect(await send(type, given)).toEqual(want);
  });
});

describe("what has more than one meaning, or loses something, is refused", () => {
  const cases: readonly [title: string, type: ValueType, given: Json][] = [
    ["an exponent in a text", integer, "1e3"],
    ["NaN", number, "NaN"],
    ["an empty text for a number", integer, ""],
    ["a blank before a number", integer, " 5"],
    ["a leading zero, which an identifier may have", integer, "007"],
    ["a fraction for an integer", integer, 1.5],
    ["a number that JSON has rounded already", digits, 9007199254740992],
    ["such a number for an integer", integer, 9007199254740992],
    ["such a number for a text", text, 9007199254740992],
    ["such a number in a list of texts", texts, [9007199254740992]],
    ["such a number in free-form data", json, { a: [9007199254740992] }],
    ["such a number for an enum that has its digits", bigChoice, 9007199254740992],
    ["an object that is not of an enum", things, { a: 1, b: [true] }],
    ["an object with more than one of an enum", things, { a: 1, b: [true, null], c: 1 }],
    ["a list for an enum of objects", things, [1]],
    ["a number that two texts of an enum spell", versions, 1.1],
    ["a boolean for a text", text, true],
    ["yes for true", boolean, "yes"],
    ["one for true", boolean, 1],
    ["a text with commas for a list", texts, "a,b"],
    ["a broken list", texts, '["a"'],
    ["one number for a list of numbers", { kind: "array", items: integer }, 5],
    ["a list for a text", text, ["a"]],
    ["null inside a list that does not take it", texts, [null]],
    [
      "a map with a key twice",
      map,
      [
        { key: "a", value: 1 },
        { key: "a", value: 2 },
      ],
    ],
    ["a map entry with a further name", map, [{ key: "a", value: 1, extra: 2 }]],
  ];
  test.each(cases)("%s", async (_, type, given) => {
    await expect(send(type, given)).rejects.toMatchObject({
      code: "invalid_arguments",
      detail: { path: expect.stringMatching(/^x/) },
    });
  });
});

describe("bounds are enforced, and said", () => {
  const cases: readonly [title: string, type: ValueType, given: Json, says: RegExp][] = [
    ["minimum", { kind: "integer", minimum: 1 }, 0, /at least 1/],
    ["exclusive maximum", { kind: "number", exclusiveMaximum: 1 }, 1, /less than 1/],
    ["multiples are decimal", { kind: "number", multipleOf: 0.1 }, 0.35, /multiple of 0.1/],
    [
      "digits beyond 2^53 keep to their bounds",
      { ...digits, maximum: 2 ** 60 } as ValueType,
      "9223372036854775807",
      /at most/,
    ],
    ["shortest text, in characters", { kind: "string", minLength: 2 }, "😀", /at least 2 characters long, not 1/],
    ["longest text, in characters", { kind: "string", maxLength: 1 }, "😀😀", /at most 1 characters long, not 2/],
    ["pattern", { kind: "string", pattern: "^a+$" }, "b", /\^a\+\$/],
    ["fewest items", { kind: "array", items: text, minItems: 2 }, ["a"], /at least 2/],
    ["most items", { kind: "array", items: text, maxItems: 1 }, ["a", "b"], /at most 1/],
    ["no item twice", { kind: "array", items: integer, uniqueItems: true }, [1, "1"], /unlike the items before/],
    ["a text of 64 Ki characters at most", text, "x".repeat(65_537), /65536/],
  ];
  test.each(cases)("%s", async (_, type, given, says) => {
    await expect(send(type, given)).rejects.toThrow(says);
  });

  test("0.3 is a multiple of 0.1", async () => {
    expect(await send({ kind: "number", multipleOf: 0.1 }, 0.3)).toBe(0.3);
  });

  test("a text may be longer where its own maximum allows it", async () => {
    expect(await send({ kind: "string", maxLength: 100_000 }, "x".repeat(70_000))).toHaveLength(70_000);
  });

  test("a pattern that RE2 cannot express is not enforced, and cannot hang the server", async () => {
    expect(await send({ kind: "string", pattern: "^(?=a)b" }, "c")).toBe("c");
    const started = performance.now();
    await expect(send({ kind: "string", pattern: "^(a+)+$" }, `${"a".repeat(50_000)}!`)).rejects.toThrow();
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

describe("names", () => {
  const tool = toolOf([input("region", text), input("service", text, { required: true })]);

  test("an unknown name is refused with the nearest ones", async () => {
    const error = await refusal(tool, { service: "x", regoin: "eu" });
    expect(error).toMatchObject({ code: "unknown_argument", detail: { path: "regoin", nearest: ["region"] } });
  });

  test.each(["__proto__", "constructor", "toString", "hasOwnProperty"])("%s is a name like any other", async (name) => {
    const error = await refusal(tool, JSON.parse(`{"service":"x","${name}":{"region":"eu"}}`));
    expect(error).toMatchObject({ code: "unknown_argument", detail: { path: name } });
  });

  test("a missing required argument is named", async () => {
    expect(await refusal(tool, {})).toMatchObject({ code: "invalid_arguments", detail: { path: "service" } });
    expect(await refusal(tool, { service: null })).toMatchObject({ detail: { path: "service" } });
  });

  test("everything that is wrong is told at once, five by name", async () => {
    const many = toolOf(Array.from({ length: 8 }, (_, at) => input(`n${at}`, integer)));
    const error = await refusal(many, Object.fromEntries(many.inputs.map(({ name }) => [name, "x"])));
    expect(error.detail.path).toBe("n0");
    expect(error.message).toContain("8 arguments");
    expect(error.message).toContain("`n4`");
    expect(error.message).not.toContain("`n5`");
    expect(error.message).toContain("3 more");
  });

  test("an unknown name inside an object is refused there", async () => {
    const error = await refusal(toolOf([input("who", person)]), { who: { name: "A", agee: 3 } });
    expect(error).toMatchObject({ code: "unknown_argument", detail: { path: "who.agee", nearest: ["age"] } });
  });

  test("an enum error lists what is allowed and what may have been meant", async () => {
    const error = await refusal(toolOf([input("status", status)]), { status: "opne" });
    expect(error.detail).toMatchObject({
      path: "status",
      got: "opne",
      allowed: ["open", "2", "true"],
      nearest: ["open"],
    });
  });

  test("what is echoed is cut", async () => {
    const error = await refusal(toolOf([input("n", integer)]), { n: "y".repeat(1000) });
    expect(error.detail.got).toBe(`${"y".repeat(200)}…`);
  });

  test.each([
    ["a list", []],
    ["a number", 5],
    ["a text", "nothing"],
  ])("arguments that are %s are refused", async (_, raw) => {
    expect(await refusal(tool, raw)).toMatchObject({ code: "invalid_arguments" });
  });

  test("no arguments at all are none", async () => {
    expect((await validate(toolOf([]), undefined)).values.size).toBe(0);
  });

  test("arguments as JSON text are read", async () => {
    expect((await validate(tool, '{"service":"x"}')).values.get("service")).toBe("x");
  });
});

describe("pinned names", () => {
  const pins = [{ name: "tenantID", value: { kind: "literal", value: "t-1" } as const }];
  const tool: Tool = {
    ...toolOf([
      input("filter", json),
      input("labels", { kind: "map", values: text }),
      input("who", person),
      input("q", text),
    ]),
    plan: {
      kind: "call",
      call: {
        operation: 0,
        bindings: [
          binding({ in: "path", name: "projectId", pointer: [] }),
          binding({ in: "body", pointer: ["scope", "orgId"] }),
        ],
      },
    },
  };
  const names = pinnedNames(pins, tool);

  function binding(place: Place) {
    const value = { kind: "literal", value: "t-1" } as const;
    return { place, value, pinned: true, type: "string", required: true, nullable: false } as const;
  }

  test.each([
    ["the pin's name", { tenantID: "other" }, "tenantID"],
    ["in another letter case", { TENANTid: "other" }, "TENANTid"],
    ["the parameter that it goes to", { projectid: "other" }, "projectid"],
    ["the property that it goes to", { orgId: "other" }, "orgId"],
    ["inside free-form data", { filter: { a: [{ tenantId: "other" }] } }, "filter.a[0].tenantId"],
    ["inside free-form data as text", { filter: '{"orgid":1}' }, "filter.orgid"],
    ["as a key of a map", { labels: [{ key: "TenantID", value: "x" }] }, "labels[0].key"],
    ["inside an object", { who: { name: "A", tenantID: "x" } }, "who.tenantID"],
  ])("%s is refused", async (_, raw, path) => {
    expect(await refusal(tool, raw, names)).toMatchObject({ code: "pinned_argument", detail: { path } });
  });

  test("comes first among several faults", async () => {
    expect(await refusal(tool, { unknown: 1, tenantID: "x" }, names)).toMatchObject({ code: "pinned_argument" });
  });

  test("a parameter's name inside free-form data is only a name", async () => {
    const read = await validate(tool, { filter: { projectId: 1 } }, names);
    expect(read.wire.get("filter")).toEqual({ projectId: 1 });
  });
});

describe("limits of size", () => {
  const tool = toolOf([input("data", json)]);
  const nest = (levels: number): Json => (levels === 0 ? 1 : [nest(levels - 1)]);

  test.each([
    ["depth", { data: nest(40) }],
    ["depth inside JSON text", { data: JSON.stringify(nest(40)) }],
    ["depth of a million levels", { data: "[".repeat(1_000_000) + "]".repeat(1_000_000) }],
    ["number of values", { data: Array.from({ length: 10_001 }, () => 1) }],
    ["number of values inside JSON text", { data: JSON.stringify(Array.from({ length: 10_001 }, () => 1)) }],
  ])("%s", async (_, raw) => {
    expect(await refusal(tool, raw)).toMatchObject({ code: "invalid_arguments" });
  });
});

describe("the built-in limit", () => {
  const rows = { jmespath: "rows" };
  const tool = toolOf([], { kind: "list", rows, limit: { default: 20, max: 200 }, budget: 25_000 });

  test.each([
    ["by default", {}, 20],
    ["null is not set", { limit: null }, 20],
    ["as given", { limit: 7 }, 7],
    ["as text", { limit: "7" }, 7],
  ])("%s", async (_, raw, want) => {
    const read = await validate(tool, raw);
    expect(read.limit).toBe(want);
    expect(read.values.get("limit")).toBe(want);
  });

  test("over the maximum it is refused with the maximum", async () => {
    const error = await refusal(tool, { limit: 500 });
    expect(error).toMatchObject({ code: "invalid_arguments", detail: { path: "limit", got: 500 } });
    expect(error.message).toContain("200");
  });

  test("is unknown where a tool has none", async () => {
    expect(await refusal(toolOf([]), { limit: 5 })).toMatchObject({ code: "unknown_argument" });
  });
});

describe("defaults", () => {
  const times: readonly Input[] = [
    input(
      "start",
      { kind: "date-time" },
      { default: { kind: "relative", time: { words: "30 days ago", amount: -30, unit: "day" } } },
    ),
    input("size", integer, { default: { kind: "literal", value: 3 } }),
    input("other", text),
  ];

  test("fill what is not given; what has none is absent", async () => {
    const { values, wire } = await validate(toolOf(times), { size: null });
    expect(Object.fromEntries(values)).toEqual({ start: "2026-10-30T12:34:56Z", size: 3 });
    expect([...wire.keys()]).toEqual(["start", "size"]);
  });

  test("give way to a null that the upstream takes", async () => {
    const tool = toolOf([input("x", { ...integer, nullable: true }, { default: { kind: "literal", value: 3 } })]);
    expect((await validate(tool, { x: null })).wire.get("x")).toBeNull();
    expect((await validate(tool, {})).wire.get("x")).toBe(3);
  });
});

describe("the upstream's own schema where types do not say enough", () => {
  const residual = { anyOf: [{ required: ["a"] }, { required: ["b"] }] };
  const tool = toolOf([input("data", json, { residual })]);

  test("accepts what fits", async () => {
    expect((await validate(tool, { data: { b: 1 } })).wire.get("data")).toEqual({ b: 1 });
  });

  test("refuses what does not, in plain words", async () => {
    const error = await refusal(tool, { data: { c: 1 } });
    expect(error).toMatchObject({ code: "invalid_arguments", detail: { path: "data" } });
    expect(error.message).toContain("one of the forms that the upstream accepts");
  });

  test("names the place inside", async () => {
    const inner = toolOf([input("data", json, { residual: { properties: { a: { items: { type: "integer" } } } } })]);
    expect(await refusal(inner, { data: { a: [1, "x"] } })).toMatchObject({ detail: { path: "data.a[1]" } });
  });

  test("a schema that cannot be compiled is left to the upstream", async () => {
    const broken = toolOf([input("data", json, { residual: { $ref: "#/nowhere" } })]);
    expect((await validate(broken, { data: 1 })).wire.get("data")).toBe(1);
  });

  test("its patterns run on RE2", async () => {
    const slow = toolOf([input("data", json, { residual: { type: "string", pattern: "^(a+)+$" } })]);
    expect(await refusal(slow, { data: `${"a".repeat(20_000)}!` })).toMatchObject({ code: "invalid_arguments" });
  });
});

describe("a text that could be a number, where the upstream's forms differ in it", () => {
  const form = (type: string, value: object) => ({ properties: { type: { const: type }, v: value } });
  const residual = { anyOf: [form("a", { type: "string" }), form("b", { type: "integer" })] };
  const properties = [
    { name: "type", wire: "type", required: true, type: text },
    { name: "v", wire: "v", required: true, type: { kind: "json", texts: [text] } as const },
  ];
  const tool = toolOf([input("data", { kind: "object", properties }, { residual })]);
  const cases: readonly [title: string, given: Json, want: Json][] = [
    ["stays a text where one is wanted", { type: "a", v: "5" }, { type: "a", v: "5" }],
    ["becomes a number where only that fits", { type: "b", v: "5" }, { type: "b", v: 5 }],
    ["a number is one", { type: "b", v: 5 }, { type: "b", v: 5 }],
  ];
  test.each(cases)("%s", async (_, given, want) => {
    expect((await validate(tool, { data: given })).wire.get("data")).toEqual(want);
  });
  test("what fits neither way is refused as it was sent", async () => {
    const error = await refusal(tool, { data: { type: "b", v: "five" } });
    expect(error).toMatchObject({ code: "invalid_arguments", detail: { got: { type: "b", v: "five" } } });
  });
});

test("what callers see of a number that JavaScript has none for are its digits", async () => {
  const { values } = await validate(toolOf([input("x", json)]), { x: '{"id":9007199254740993,"n":[1e400]}' });
  expect(values.get("x")).toEqual({ id: "9007199254740993", n: ["1e400"] });
});

test("arguments as one JSON text keep their digits, also in a refusal and in a filter", async () => {
  const wire = (await validate(toolOf([input("x", integer)]), '{"x":9007199254740993}')).wire;
  expect(wire.get("x")).toBe("9007199254740993");
  const error = await refusal(toolOf([input("x", boolean)]), '{"x":9007199254740993.5}');
  expect(error).toMatchObject({ code: "invalid_arguments", detail: { path: "x" } });
  const filtered: Tool = { ...toolOf([]), filter: { offered: true, depth: 1, fields: [], always: [] } };
  expect((await validate(filtered, { filter: '{"field":"id","op":"eq","value":9007199254740993}' })).filter).toEqual({
    field: "id",
    op: "eq",
    value: "9007199254740993",
  });
  expect(await refusal(toolOf([]), "9007199254740993")).toMatchObject({ code: "invalid_arguments" });
});
