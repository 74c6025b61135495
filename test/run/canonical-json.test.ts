import { expect, test } from "vitest";
import { canonicalJson } from "../../src/run/canonical-json.ts";
import { exactNumber } from "../../src/run/request/exact-number.ts";

test("equal values have one text, whatever the order of their keys", () => {
  expect(canonicalJson({ b: [1, { d: null, c: "x" }], a: true })).toBe('{"a":true,"b":[1,{"c":"x","d":null}]}');
});

test("numbers that differ beyond what JavaScript holds have texts that differ: a page token of one is none of the other", () => {
  const [one, other] = ["9007199254740993", "9007199254740995"].map((digits) =>
    canonicalJson({ ids: [exactNumber(digits)] }),
  );
  expect([one, other]).toEqual(['{"ids":[9007199254740993]}', '{"ids":[9007199254740995]}']);
});
