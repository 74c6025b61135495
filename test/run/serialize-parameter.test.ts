import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ParameterPlan } from "../../src/model/call.ts";
import type { Json } from "../../src/model/json.ts";
import { exactNumber } from "../../src/run/request/exact-number.ts";
import { serializeParameter } from "../../src/run/request/serialize-parameter.ts";
import { Unsendable } from "../../src/run/request/unsendable.ts";

type Style = ParameterPlan["style"];
const parameter = (
  place: ParameterPlan["in"],
  style: Style,
  explode: boolean,
  more: Partial<ParameterPlan> = {},
): ParameterPlan => ({
  name: "p",
  in: place,
  required: false,
  style,
  explode,
  allowReserved: false,
  ...more,
});

const object = { k: "1", m: "a b" };

describe("every style spells scalars, lists and objects as OpenAPI says", () => {
  const cases: [ParameterPlan["in"], Style, boolean, Json, string[]][] = [
    ["path", "simple", false, "a/b c", ["a%2Fb%20c"]],
    ["path", "simple", false, ["a", "b,c"], ["a,b%2Cc"]],
    ["path", "simple", false, object, ["k,1,m,a%20b"]],
    ["path", "simple", true, object, ["k=1,m=a%20b"]],
    ["path", "simple", true, true, ["true"]],
    ["path", "label", false, "x", [".x"]],
    ["path", "label", false, ["x", "y"], [".x,y"]],
    ["path", "label", true, ["x", "y.z"], [".x.y%2Ez"]],
    ["path", "label", true, object, [".k=1.m=a%20b"]],
    ["path", "label", false, object, [".k,1,m,a%20b"]],
    ["path", "matrix", false, "x", [";p=x"]],
    ["path", "matrix", false, "", [";p"]],
    ["path", "matrix", false, ["a", "b/c"], [";p=a,b%2Fc"]],
    ["path", "matrix", true, ["a", "b/c"], [";p=a;p=b%2Fc"]],
    ["path", "matrix", true, object, [";k=1;m=a%20b"]],
    ["path", "matrix", false, object, [";p=k,1,m,a%20b"]],
    ["query", "form", true, "a b&c=d'é", ["p=a%20b%26c%3Dd%27%C3%A9"]],
    ["query", "form", true, "!'()*;~", ["p=%21%27%28%29%2A%3B~"]],
    ["query", "form", true, "", ["p="]],
    ["query", "form", true, ["a", "b,c", "d e&f"], ["p=a", "p=b%2Cc", "p=d%20e%26f"]],
    ["query", "form", false, ["red", "b,l"], ["p=red,b%2Cl"]],
    ["query", "form", true, [], []],
    ["query", "form", false, [], []],
    ["query", "form", true, {}, []],
    ["query", "form", true, ["", "x"], ["p=", "p=x"]],
    ["query", "form", true, [null, "x"], ["p=x"]],
    ["query", "form", true, object, ["k=1", "m=a%20b"]],
    ["query", "form", false, object, ["p=k,1,m,a%20b"]],
    ["query", "form", false, [true, false], ["p=true,false"]],
    ["query", "form", true, 0.1, ["p=0.1"]],
    ["query", "form", true, 1e21, ["p=1000000000000000000000"]],
    ["query", "form", true, 1e-7, ["p=0.0000001"]],
    ["query", "form", true, exactNumber("9007199254740993"), ["p=9007199254740993"]],
    ["query", "form", true, [{ a: [1] }], ["p=%7B%22a%22%3A%5B1%5D%7D"]],
    ["query", "form", true, "2024-01-02T03:04:05+02:00", ["p=2024-01-02T03%3A04%3A05%2B02%3A00"]],
    ["query", "spaceDelimited", false, ["x", "y"], ["p=x%20y"]],
    ["query", "spaceDelimited", true, ["x", "y"], ["p=x", "p=y"]],
    ["query", "pipeDelimited", false, [1, 2], ["p=1%7C2"]],
    ["query", "pipeDelimited", false, { a: 1, b: 2 }, ["p=a%7C1%7Cb%7C2"]],
    [
      "query",
      "deepObject",
      true,
      { id: "57", type: "a&b", range: { gte: 0 }, tags: ["x", "y"] },
      ["p%5Bid%5D=57", "p%5Btype%5D=a%26b", "p%5Brange%5D%5Bgte%5D=0", "p%5Btags%5D=x", "p%5Btags%5D=y"],
    ],
    [
      "query",
      "deepObject",
      true,
      { a: null, b: [{ c: 1 }, { c: 2 }], "d]": "" },
      ["p%5Bb%5D%5B0%5D%5Bc%5D=1", "p%5Bb%5D%5B1%5D%5Bc%5D=2", "p%5Bd%5D%5D="],
    ],
    ["query", "deepObject", true, ["x", "y"], ["p%5B0%5D=x", "p%5B1%5D=y"]],
    ["query", "deepObject", true, [{ a: ["x"] }], ["p%5B0%5D%5Ba%5D%5B0%5D=x"]],
    ["query", "deepObject", true, { a: { b: ["x"] } }, ["p%5Ba%5D%5Bb%5D=x"]],
    ["header", "simple", false, [1, 2], ["1,2"]],
    ["header", "simple", true, { a: 1, b: 2 }, ["a=1,b=2"]],
    ["header", "simple", false, "a, b", ["a, b"]],
    ["cookie", "form", true, "a b;c", ["p=a%20b%3Bc"]],
    ["cookie", "form", true, 1, ["p=1"]],
    ["cookie", "cookie", true, "a/b+c", ["p=a/b+c"]],
  ];
  test.each(cases)("%s %s explode %s %j", (place, style, explode, value, want) => {
    expect(serializeParameter(parameter(place, style, explode), value)).toEqual(want);
  });
});

describe("reserved characters stay where the spec allows them, but for those with a meaning", () => {
  const cases: [string, string][] = [
    ["a/b:c?d@e$f,g", "p=a/b:c?d@e$f,g"],
    ["a&b=c+d#e[f]g%2F", "p=a%26b%3Dc%2Bd%23e%5Bf%5Dg%252F"],
  ];
  test.each(cases)("%s", (value, want) => {
    expect(serializeParameter(parameter("query", "form", true, { allowReserved: true }), value)).toEqual([want]);
  });
});

describe("a parameter with `content` is one text", () => {
  const cases: [ParameterPlan["in"], string, Json, string][] = [
    ["query", "application/json", { a: [1, "é"] }, "p=%7B%22a%22%3A%5B1%2C%22%C3%A9%22%5D%7D"],
    ["query", "application/json", "x", "p=%22x%22"],
    ["query", "text/plain", "x y", "p=x%20y"],
    ["path", "application/json", [1], "%5B1%5D"],
    ["header", "application/json", { a: "é" }, '{"a":"\\u00e9"}'],
  ];
  test.each(cases)("%s %s %j", (place, mediaType, value, want) => {
    expect(serializeParameter(parameter(place, "form", true, { mediaType }), value)).toEqual([want]);
  });
});

describe("what a style cannot carry is refused and never changed", () => {
  const cases: [ParameterPlan["in"], Style, Json][] = [
    ["query", "pipeDelimited", ["a|b"]],
    ["query", "spaceDelimited", ["a b"]],
    ["header", "simple", ["a,b"]],
    ["cookie", "cookie", "a;b"],
    ["query", "form", "\ud800"],
    ["query", "form", ["\udc00"]],
    ["path", "simple", "a\ud800b"],
    ["query", "deepObject", { "\ud800": 1 }],
  ];
  test.each(cases)("%s %s %j", (place, style, value) => {
    expect(() => serializeParameter(parameter(place, style, false), value)).toThrow(Unsendable);
  });
});

describe("a server reads what the caller meant", () => {
  const text = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.string({ unit: "binary" }).filter((one) => !/\p{Surrogate}/u.test(one)),
  );
  const decode = (pieces: string[]) => [...new URLSearchParams(new URL(`https://h/?${pieces.join("&")}`).search)];

  test("in form style, exploded: any list of texts", () => {
    fc.assert(
      fc.property(fc.array(text), (items) => {
        expect(decode(serializeParameter(parameter("query", "form", true), items))).toEqual(
          items.map((item) => ["p", item]),
        );
      }),
    );
  });
  test("in form style, joined: any list of texts, split before it is decoded", () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1 }), (items) => {
        const [piece = ""] = serializeParameter(parameter("query", "form", false), items);
        expect(piece.slice(2).split(",").map(decodeURIComponent)).toEqual(items);
      }),
    );
  });
  test("in deepObject style: any names and texts", () => {
    fc.assert(
      fc.property(fc.dictionary(text, text), (fields) => {
        expect(decode(serializeParameter(parameter("query", "deepObject", true), fields))).toEqual(
          Object.entries(fields).map(([name, value]) => [`p[${name}]`, value]),
        );
      }),
    );
  });
  test("with reserved characters allowed: any text", () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(decode(serializeParameter(parameter("query", "form", true, { allowReserved: true }), value))).toEqual([
          ["p", value],
        ]);
      }),
    );
  });
});
