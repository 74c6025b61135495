import fc from "fast-check";
import { RE2JS } from "re2js";
import { describe, expect, test } from "vitest";
import { isPlainPattern } from "../../../src/compile/types/is-plain-pattern.ts";

const PARTS = [
  ..."^$|().*+?[]{}\\-azAZ09_,:/",
  ..."\\d|\\S|\\.|\\(|\\1|[a-z]|[^0-9]|[\\S\\s]|[A-Fa-f0-9]|[z-a]|{2}|{3,}|{2,5}|{9,2}|{400}|(?:|(?=|(?<n>".split("|"),
];

describe("a pattern that is plain", () => {
  test("is one that RE2 reads, whatever it is put together from", () => {
    const patterns = fc.array(fc.constantFrom(...PARTS), { maxLength: 12 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(patterns, (pattern) => {
        if (isPlainPattern(pattern)) expect(() => RE2JS.compile(pattern)).not.toThrow();
      }),
      { numRuns: 5_000 },
    );
  });

  test.for([
    ["^AC[0-9a-fA-F]{32}$", true],
    ["^(0|[1-9][0-9]*)$", true],
    ["[\\S\\s]*", true],
    ["(\\d{4}-\\d{2}-\\d{2})(T\\d{2}:\\d{2}:\\d{2}Z)?", true],
    ["^(?:IS|IS_ANY_OF):(.*?)(,([0-9]+))*$", true],
    ["(?=a)b", false],
    ["(a)\\1", false],
    ["[z-a]", false],
    ["a**", false],
    ["a{3,2}", false],
    ["((a{100}){100}){100}", false],
    ["(a", false],
    ["a)", false],
    ["\\(a\\)", false],
    ["[(a)]", false],
    ["a\0b", false],
  ] as const)("%s: %s", ([pattern, want]) => {
    expect(isPlainPattern(pattern)).toBe(want);
  });
});
