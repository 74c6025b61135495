import { describe, expect, test } from "vitest";
import { findingsJson, formatFindings, sortFindings } from "../../src/cli/commands/format-findings.ts";
import type { Problem } from "../../src/model/problem.ts";
import { fixture, run } from "./fake-shell.ts";

const problem = (line: number, severity: Problem["severity"], code: string, hint?: string): Problem => {
  return {
    file: "a.yaml",
    line,
    column: 3,
    severity,
    code,
    message: `What ${code} says.`,
    ...(hint !== undefined && { hint }),
  };
};

describe("findings", () => {
  test("stand in columns, each hint below its finding", () => {
    const text = formatFindings([problem(5, "error", "x", "Do this."), problem(12, "warning", "longer")], false);
    expect(text).toBe(
      [
        "a.yaml:5:3   error    x       What x says.",
        "             Do this.",
        "a.yaml:12:3  warning  longer  What longer says.",
      ].join("\n"),
    );
  });

  test("are coloured only when asked", () => {
    expect(formatFindings([problem(5, "error", "x")], true)).toContain("\u001b[31merror\u001b[0m");
  });

  test("hide nothing from who looks at them, and are the same for a program", () => {
    const hidden = { ...problem(5, "error", "x"), message: "a\u202Eb\u{E0041}\u001b[2J\nc" };
    expect(formatFindings([hidden], false)).toBe("a.yaml:5:3  error  x  a\\u{202E}b\\u{E0041}\\u{1B}[2J\\nc");
    expect(findingsJson([hidden])).toMatch(/^[\n -~]*$/);
    expect(JSON.parse(findingsJson([hidden]))[0].message).toBe(hidden.message);
  });

  test("are sorted by file, line and column as numbers", () => {
    const sorted = sortFindings([
      problem(12, "error", "b"),
      problem(5, "error", "a"),
      { ...problem(1, "note", "c"), file: "b.yaml" },
    ]);
    expect(sorted.map(({ code }) => code)).toStrictEqual(["a", "b", "c"]);
  });

  test("stand once where one anchor brought them into several tools", () => {
    const other = { ...problem(5, "note", "a"), message: "Something else." };
    const sorted = sortFindings([problem(5, "error", "a"), other, problem(5, "error", "a")]);
    expect(sorted).toStrictEqual([problem(5, "error", "a"), other]);
  });

  test("are exactly seven keys for a program", () => {
    expect(JSON.parse(findingsJson([problem(5, "error", "x")]))).toStrictEqual([
      { code: "x", severity: "error", file: "a.yaml", line: 5, column: 3, message: "What x says.", hint: null },
    ]);
  });
});

describe("vitrine check", () => {
  test("a curation without a mistake ends with 0; what its spec gets wrong is a warning", async () => {
    const { code, out, err } = await run(["check", fixture("shop.yaml")]);
    expect(code).toBe(0);
    expect(out).toMatch(/warning +spec_/);
    expect(err).toMatch(/^0 errors, \d+ warnings?, \d+ notes?\.\n$/);
  });

  test("--strict takes warnings for errors", async () => {
    expect((await run(["check", "--strict", fixture("shop.yaml")])).code).toBe(1);
  });

  test("mistakes end with 1, are on stdout, and each names its line", async () => {
    const { code, out } = await run(["check", fixture("broken.yaml")]);
    expect(code).toBe(1);
    expect(out).toMatch(/test\/fixtures\/cli\/curation\/broken\.yaml:5:3 +error/);
  });

  test("--json gives nothing but the list", async () => {
    const { code, out, err } = await run(["check", "--json", fixture("broken.yaml")]);
    expect([code, err]).toStrictEqual([1, ""]);
    const found = JSON.parse(out) as Problem[];
    expect(found.length).toBeGreaterThan(0);
    for (const one of found) {
      expect(Object.keys(one)).toStrictEqual(["code", "severity", "file", "line", "column", "message", "hint"]);
    }
    expect(found).toContainEqual(
      expect.objectContaining({ severity: "error", line: 5, column: 3, file: fixture("broken.yaml") }),
    );
  });

  test("a curation without any finding prints [] with --json", async () => {
    const { code, out } = await run(["check", "--json", fixture("clean.yaml")]);
    expect([code, out]).toStrictEqual([0, "[]\n"]);
  });

  test("a spec outside of the root is an error at its line, unless --root says otherwise", async () => {
    const outside = await run(["check", "--json", fixture("outside.yaml")]);
    expect(outside.code).toBe(1);
    expect(JSON.parse(outside.out)).toMatchObject([
      { code: "outside_root", line: 3, hint: expect.stringContaining("--root") },
    ]);
    // Now it may be read, and is not there.
    expect((await run(["check", "--root", "test", fixture("outside.yaml")])).code).toBe(2);
  });

  test("one tool that the spec breaks is an error, at the tool's own line", async () => {
    const { code, out } = await run(["check", "--json", fixture("half-broken.yaml")]);
    expect(code).toBe(1);
    expect((JSON.parse(out) as Problem[]).filter(({ severity }) => severity === "error")).toMatchObject([
      { code: "spec_fault" },
    ]);
  });
});

test("vitrine schema prints a JSON Schema that knows the top-level keys", async () => {
  const { code, out, err } = await run(["schema"]);
  expect([code, err]).toStrictEqual([0, ""]);
  expect(Object.keys(JSON.parse(out).properties)).toEqual(
    expect.arrayContaining(["vitrine", "api", "server", "tools"]),
  );
});
