import fc from "fast-check";
import { expect, test } from "vitest";
import { diffLines } from "../../src/cli/lock/diff-lines.ts";

test.each<[title: string, before: string, after: string, want: readonly string[]]>([
  ["nothing", "a\nb", "a\nb", []],
  ["a line in the middle", "a\nb\nc\nd\ne\nf\ng", "a\nb\nc\nX\ne\nf\ng", ["  b", "  c", "- d", "+ X", "  e", "  f"]],
  ["lines that came", "a", "a\nb\nc", ["  a", "+ b", "+ c"]],
  ["lines that went", "a\nb\nc", "c", ["- a", "- b", "  c"]],
  [
    "two places",
    "a\n1\n2\n3\n4\n5\nb",
    "A\n1\n2\n3\n4\n5\nB",
    ["- a", "+ A", "  1", "  2", "…", "  4", "  5", "- b", "+ B"],
  ],
  ["an empty line", "a\n\nb", "a\nb", ["  a", "-", "  b"]],
])("%s", (_, before, after, want) => {
  expect(diffLines(before, after)).toStrictEqual(want);
});

test("what is taken away and what is put in make the one text of the other", () => {
  const text = fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = diffLines(before.join("\n"), after.join("\n"));
      const count = (mark: string) => lines.filter((line) => line.startsWith(mark)).length;
      expect(before.length - count("-")).toBe(after.length - count("+"));
      const marked = (mark: string) => lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(2));
      const rest = (all: readonly string[], gone: readonly string[]) =>
        [..."abc"].map((one) => all.filter((x) => x === one).length - gone.filter((x) => x === one).length);
      expect(rest(before, marked("-"))).toStrictEqual(rest(after, marked("+")));
    }),
  );
});

test("very long texts end soon", () => {
  const text = (mark: string) => Array.from({ length: 5_000 }, (_, at) => `${mark}${at}`).join("\n");
  expect(diffLines(text("a"), text("b"))).toHaveLength(10_000);
});
