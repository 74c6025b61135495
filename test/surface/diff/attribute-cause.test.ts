import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openCauses } from "../../../src/surface/diff/attribute-cause.ts";
import type { Change } from "../../../src/surface/diff/change.ts";

const change = (rule: string, tool: string | null, path: string): Change => ({
  rule,
  class: "BREAKING",
  tool,
  path,
  before: null,
  after: null,
  message: "",
});

const A = change("x", "t", "/a");
const SAME_PLACE = change("y", "t", "/a");
const SAME_TOOL = change("x", "t", "/b");
const OTHER = change("x", "u", "/a");
const SUM = change("list_tokens_changed", null, "/tokens");

describe("what makes a change", () => {
  test.each([
    ["the part that makes the same", { spec: [A], curation: [] }, A, "spec"],
    [
      "the part that makes the same, whatever another does to the tool",
      { spec: [A], curation: [SAME_TOOL] },
      A,
      "spec",
    ],
    ["the part that makes the same, whatever another does there", { spec: [SAME_PLACE], curation: [A] }, A, "curation"],
    ["the part that changes the same place", { spec: [SAME_PLACE], curation: [OTHER] }, A, "spec"],
    ["the part that changes the same tool", { spec: [], curation: [SAME_TOOL] }, A, "curation"],
    ["both where both make it", { spec: [A], curation: [A] }, A, "spec+curation"],
    ["both where the sum of both makes it", { spec: [A], curation: [OTHER] }, SUM, "spec+curation"],
    ["unknown where a part makes nothing of the kind", { spec: [OTHER], curation: [] }, A, "unknown"],
    ["the compiler", { spec: [], curation: [], compiler: [A] }, A, "compiler"],
    ["unknown where the compiler and another make it", { spec: [A], curation: [], compiler: [A] }, A, "unknown"],
  ] as const)("is %s", (_, effects, asked, want) => {
    expect(openCauses({ compiler: [], ...effects })(asked)).toBe(want);
  });

  test("is always one of the parts that were given changes", () => {
    const any = fc.constantFrom(A, SAME_PLACE, SAME_TOOL, OTHER, SUM);
    fc.assert(
      fc.property(fc.array(any), any, (spec, asked) => {
        expect(["spec", "unknown"]).toContain(openCauses({ spec, curation: [], compiler: [] })(asked));
      }),
    );
  });
});
