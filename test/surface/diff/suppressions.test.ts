import fc from "fast-check";
import { expect, test } from "vitest";
import type { Change } from "../../../src/surface/diff/change.ts";
import { applySuppressions, type Suppression } from "../../../src/surface/diff/suppressions.ts";

const change = (rule: string, tool: string | null, path: string): Change => ({
  rule,
  class: "BREAKING",
  tool,
  path,
  before: null,
  after: null,
  message: "",
});
const by = (more: Partial<Suppression>): Suppression => ({ rule: "x", reason: "r", file: "f", line: 1, ...more });

test.each([
  ["its rule alone", {}, true],
  ["rule and tool", { tool: "t" }, true],
  ["another tool", { tool: "u" }, false],
  ["the very path", { path: "/a/b" }, true],
  ["a path above", { path: "/a" }, true],
  ["a path that only begins alike", { path: "/a/" }, false],
  ["a path below", { path: "/a/b/c" }, false],
  ["another rule", { rule: "y" }, false],
  ["its last day", { until: "2026-11-30" }, true],
  ["the day after", { until: "2026-11-29" }, false],
])("a suppression with %s", (_, more, want) => {
  const { accepted } = applySuppressions([change("x", "t", "/a/b")], [by(more)], "2026-11-30");
  expect(accepted.length === 1).toBe(want);
});

test("each change is left or accepted, and each suppression holds, is over or is not needed", () => {
  const some = fc.record({
    rule: fc.constantFrom("x", "y"),
    tool: fc.constantFrom("t", "u"),
    path: fc.constantFrom("/a", "/a/b"),
  });
  const until = fc.constantFrom(undefined, "2026-01-01", "2027-01-01");
  fc.assert(
    fc.property(fc.array(some), fc.array(fc.tuple(some, until)), (changes, written) => {
      const all = changes.map(({ rule, tool, path }) => change(rule, tool, path));
      const suppressions = written.map(([one, day]) => by({ ...one, ...(day !== undefined && { until: day }) }));
      const { left, accepted, expired, unmatched } = applySuppressions(all, suppressions, "2026-11-30");
      expect(left.length + accepted.length).toBe(all.length);
      const idle = new Set([...expired, ...unmatched]);
      expect(accepted.some((one) => idle.has(one.by))).toBe(false);
      expect(expired.every((one) => one.until === "2026-01-01")).toBe(true);
    }),
  );
});
