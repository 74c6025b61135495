import { describe, expect, test } from "vitest";
import type { DiffFinding } from "../../../src/surface/diff/change.ts";
import { CHANGE_RULES } from "../../../src/surface/diff/change-rules.ts";
import { type DiffOutcome, reportChanges } from "../../../src/surface/diff/report-changes.ts";

const change = (more: Partial<DiffFinding> = {}): DiffFinding => ({
  rule: "max_limit_lowered",
  class: "BREAKING",
  tool: "t",
  path: "/conduct/limit/max",
  before: 200,
  after: 100,
  message: "The largest limit of rows was 200 and is 100.",
  cause: "spec",
  file: "c.yaml",
  line: 3,
  ...more,
});

const report = (left: readonly DiffFinding[], more: Partial<DiffOutcome> = {}) =>
  reportChanges(
    {
      left,
      accepted: [],
      expired: [],
      unmatched: [],
      problems: [],
      base: "a",
      head: "b",
      file: "c.yaml",
      tools: ["t", "u"],
      failing: ["BREAKING"],
      ...more,
    },
    "0.1.0",
  );

describe("a report of changes", () => {
  test("has the worst first, and says how bad each is", () => {
    const classes = ["COMPATIBLE", "BEHAVIOUR", "UNKNOWN", "BREAKING"] as const;
    const { findings, summary } = report(classes.map((one) => change({ class: one })));
    expect(findings.map(({ label, level }) => [label, level])).toStrictEqual([
      ["BREAKING", "error"],
      ["UNKNOWN", "error"],
      ["BEHAVIOUR", "warning"],
      ["COMPATIBLE", "note"],
    ]);
    expect(summary).toBe("a → b: 1 BREAKING, 1 UNKNOWN, 1 BEHAVIOUR, 1 COMPATIBLE.");
  });

  test("makes an error of what fails", () => {
    const [finding] = report([change({ class: "COMPATIBLE" })], { failing: ["COMPATIBLE"] }).findings;
    expect(finding?.level).toBe("error");
  });

  test("tells values that the sentence does not, and why and what to do once a rule", () => {
    const { findings } = report([change(), change({ message: "It is lower." })]);
    const names = findings.map(({ details }) => details.map(([name]) => name));
    expect(names).toStrictEqual([
      ["cause", "why", "what to do"],
      ["before", "after", "cause"],
    ]);
  });

  test("is about the file where a change is about no tool, and lists the tools that are well", () => {
    const { findings, subjects } = report([change({ tool: null })]);
    expect(findings[0]?.subject).toBe("c.yaml");
    expect(subjects).toStrictEqual(["t", "u", "c.yaml"]);
  });

  test("says that causes are not known only where one is not", () => {
    expect(report([change()], { doubt: "Because." }).summary).not.toContain("Because.");
    expect(report([change({ cause: "unknown" })], { doubt: "Because." }).summary).toContain("1 BREAKING. Because.");
  });

  test("has the errors of HEAD first", () => {
    const error = {
      code: "unknown_operation",
      severity: "error",
      message: "M.",
      hint: "H.",
      file: "x",
      line: 2,
      column: 5,
    } as const;
    const { findings, summary, rules } = report([change()], { problems: [error] });
    expect(findings[0]).toMatchObject({
      rule: "unknown_operation",
      subject: "c.yaml",
      details: [["what to do", "H."]],
      line: 2,
      column: 5,
    });
    expect(summary).toContain("does not compile");
    expect(rules.map(({ id }) => id)).toContain("unknown_operation");
  });

  test("knows every rule, each once", () => {
    const ids = report([]).rules.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(CHANGE_RULES.map(({ rule }) => rule)));
  });
});
