import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { parseLazily } from "../../src/spec/parse-lazily.ts";

const ALL = { document: 0, member: 0 };
const never = (): never => {
  throw new Error("The whole document was parsed.");
};
const lazily = (text: string, parseWhole: () => unknown = never, limits = ALL) =>
  parseLazily(Buffer.from(text), parseWhole, limits);
/** Key order counts, which `toStrictEqual` does not see. */
const printed = (value: unknown): string => JSON.stringify(value);

describe("a document that is parsed lazily", () => {
  const space = fc.constantFrom(undefined, 0, 1, 2, "\t");
  const limits = fc.record({ document: fc.constant(0), member: fc.constantFrom(0, 3, 20, 300) });

  test("is what JSON.parse makes of it, for any object", () => {
    const objects = fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue({ maxDepth: 7 }));
    fc.assert(
      fc.property(objects, space, limits, (object, indent, limit) => {
        const text = JSON.stringify(object, null, indent);
        expect(printed(lazily(text, never, limit))).toBe(printed(JSON.parse(text)));
      }),
    );
  });

  const cases: [title: string, text: string][] = [
    ["an empty object", "{}"],
    ["white space everywhere", '\r\n\t { "a" : { } , "b" : [ ] , "c" : 1 }\n '],
    ["escaped keys and quotes", '{"a\\"}": {"\\u0062": "\\\\"}, "c\\\\": "{\\""}'],
    ["brackets in texts", '{"a": {"b": ["}", "]", "{"]}, "c": "}"}'],
    ["names that are numbers, which come first", '{"b": {"x": 1}, "200": {"y": 2}, "1": 3}'],
    ["names of Object's own", '{"__proto__": {"a": 1}, "constructor": {"__proto__": [1]}}'],
    ["every kind of value", '{"a": -1.5e+3, "b": true, "c": false, "d": null, "e": "", "f": [[]]}'],
    ["text beyond ASCII", '{"é": {"😀": "日本"}, "z": "\\ud83d"}'],
  ];
  test.each(cases)("holds %s", (_, text) => {
    expect(printed(lazily(text))).toBe(printed(JSON.parse(text)));
  });

  test("may begin with a byte order mark", () => {
    expect(printed(lazily('\ufeff{"a": {}}'))).toBe('{"a":{}}');
  });

  test("parses nothing but what is read", () => {
    const document = lazily('{"good": {"a": 1}, "bad": {"b": tru}}') as JsonObject;
    expect(document.good).toStrictEqual({ a: 1 });
    expect(Object.keys(document)).toStrictEqual(["good", "bad"]);
    expect(() => printed(document)).toThrow("The whole document was parsed.");
  });

  test("gives the same object each time, and can be changed and copied", () => {
    const document = lazily('{"a": {"b": [1]}, "c": {"d": 2}}') as { a: unknown; c: unknown };
    expect(document.a).toBe(document.a);
    document.c = "other";
    expect(structuredClone(document)).toStrictEqual({ a: { b: [1] }, c: "other" });
  });
});

describe("what is not JSON in every part", () => {
  test("is taken from the whole, which is parsed once", () => {
    let parsed = 0;
    const whole = { a: { b: [1] }, c: { d: [2] } };
    const document = lazily('{"a": {"b": [1,]}, "c": {"d": [2,]}}', () => {
      parsed += 1;
      return whole;
    });
    expect(printed(document)).toBe(printed(whole));
    expect(parsed).toBe(1);
  });

  test("is so where a name comes twice: the last one counts", () => {
    const text = '{"a": {"x": {"big": 1}, "x": 2}, "b": 3}';
    expect(printed(lazily(text, () => JSON.parse(text)))).toBe('{"a":{"x":2},"b":3}');
  });

  const refused: [title: string, text: string][] = [
    ["an array", "[1]"],
    ["no value at all", ""],
    ["a word", "openapi"],
    ["YAML in braces", "{openapi: 3.1.0}"],
    ["quotes of another kind", "{\"a\": {'b': 1}}"],
    ["a comment", '{"a": [1 /* one */]}'],
    ["a comma too many", '{"a": 1,}'],
    ["a comma too many in an object near the root", '{"a": {"b": 1,}}'],
    ["a comma too few", '{"a": "1" "b": 2}'],
    ["no colon", '{"a" 1}'],
    ["no value", '{"a": , "b": 1}'],
    ["an end that is missing", '{"a": {"b": 1}'],
    ["a text without an end", '{"a": "b}'],
    ["something behind the end", '{"a": 1} x'],
    ["UTF-16", Buffer.from('{"a": 1}', "utf16le").toString("latin1")],
  ];
  test.each(refused)("is left alone from the start: %s", (_, text) => {
    expect(lazily(text)).toBeUndefined();
  });

  test("is left alone where it is nested deeper than a document may be", () => {
    const nested = (depth: number) => `{"a": ${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`;
    expect(lazily(nested(500))).toBeDefined();
    expect(lazily(nested(501))).toBeUndefined();
  });
});

test("a small document is left alone, as all its faults are to be found", () => {
  expect(parseLazily(Buffer.from('{"a": 1}'), never)).toBeUndefined();
});
