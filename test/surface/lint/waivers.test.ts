import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { loadCuration } from "../../../src/curation/load-curation.ts";
import type { Severity } from "../../../src/model/problem.ts";
import { LINT_RULES } from "../../../src/surface/lint/lint-rules.ts";
import { PROFILE_CODES, WAIVABLE_CODES } from "../../../src/surface/lint/waivable-codes.ts";
import { applyWaivers, type ToolProblem } from "../../../src/surface/lint/waivers.ts";
import { curationText } from "../../compile/compile-text.ts";

const TOOLS = (one: string, two = "") =>
  `one: {operation: list${one}}\ntwo:\n  operation: list\n  use: List.${two === "" ? "" : `\n  ${two}`}`;

/** What becomes of these findings, at lines of the file, as `line severity code tool`. */
function apply(
  found: readonly (readonly [line: number, severity: Severity, code: string, isRule?: true])[],
  tools: string,
  { server = "", isWhole = true } = {},
): string[] {
  const { curation } = loadCuration("test.yaml", curationText(tools, { server }));
  const problems = found.map(([line, severity, code, isRule]): ToolProblem => {
    return { file: "test.yaml", line, column: 3, severity, code, message: "It is so.", ...(isRule && { isRule }) };
  });
  return applyWaivers(problems, curation!, isWhole).map(({ line, severity, code, tool }) => {
    return `${line} ${severity} ${code}${tool === undefined ? "" : ` ${tool}`}`;
  });
}

const LINT_ONE = ", lint: {guessed_id: They know it.}";

describe("a finding", () => {
  test("is named by the tool in whose lines it stands", () => {
    expect(
      apply(
        [
          [2, "note", "a"],
          [3, "note", "a"],
          [5, "note", "a"],
          [7, "note", "a"],
          [8, "note", "a"],
        ],
        TOOLS(""),
      ),
    ).toStrictEqual(["2 note a", "3 note a", "5 note a one", "7 note a two", "8 note a two"]);
  });

  test("that its tool waives is a note that tells the reason", () => {
    const { curation } = loadCuration("test.yaml", curationText(TOOLS(LINT_ONE)));
    const problem = {
      file: "test.yaml",
      line: 5,
      column: 3,
      severity: "warning",
      code: "guessed_id",
      message: "It is so.",
    } as const;
    expect(applyWaivers([problem], curation!, true)).toStrictEqual([
      {
        ...problem,
        severity: "note",
        code: "waived",
        message: "guessed_id: It is so.",
        hint: "Waived: They know it.",
        tool: "one",
      },
    ]);
  });

  const cases: readonly (readonly [title: string, got: readonly string[], want: readonly string[]])[] = [
    [
      "of another tool is not waived",
      apply(
        [
          [5, "warning", "guessed_id"],
          [7, "warning", "guessed_id"],
        ],
        TOOLS(LINT_ONE),
      ),
      ["5 note waived one", "7 warning guessed_id two"],
    ],
    [
      "of any tool is waived by the server",
      apply(
        [
          [5, "warning", "guessed_id"],
          [7, "warning", "guessed_id"],
        ],
        TOOLS(""),
        { server: "lint: {guessed_id: So it is.}" },
      ),
      ["5 note waived one", "7 note waived two"],
    ],
    [
      "of another code is not waived",
      apply(
        [
          [5, "warning", "guessed_id"],
          [5, "warning", "all_unpaged"],
        ],
        TOOLS(LINT_ONE),
      ),
      ["5 note waived one", "5 warning all_unpaged one"],
    ],
    [
      "that is an error of the curation is not waived",
      apply([[5, "error", "guessed_id"]], TOOLS(LINT_ONE)),
      ["5 error guessed_id one", "5 warning waiver_of_error one"],
    ],
    [
      "that is an error of a rule is waived",
      apply([[5, "error", "guessed_id", true]], TOOLS(LINT_ONE)),
      ["5 note waived one"],
    ],
  ];
  test.each(cases)("%s", (_, got, want) => {
    expect(got).toStrictEqual(want);
  });
});

describe("a waiver", () => {
  const cases: readonly (readonly [title: string, got: readonly string[], want: readonly string[]])[] = [
    ["that waives nothing is told", apply([], TOOLS(LINT_ONE)), ["5 warning unused_waiver one"]],
    [
      "of the server that waives nothing is told",
      apply([], TOOLS(""), { server: "lint: {guessed_id: So.}" }),
      ["3 warning unused_waiver"],
    ],
    ["is not called unused where not everything was looked at", apply([], TOOLS(LINT_ONE), { isWhole: false }), []],
    ["of what one client minds is not called unused", apply([], TOOLS(", lint: {reply_cut: So.}")), []],
    [
      "of no rule is told in any case",
      apply([], TOOLS(", lint: {guesed_id: So.}"), { isWhole: false }),
      ["5 warning unknown_waiver one"],
    ],
    ["cannot waive itself", apply([], TOOLS(", lint: {unused_waiver: So.}")), ["5 warning unknown_waiver one"]],
    [
      "that its tool has as well is none too many",
      apply([[5, "note", "guessed_id"]], TOOLS(LINT_ONE), { server: "lint: {guessed_id: So.}" }),
      ["5 note waived one"],
    ],
  ];
  test.each(cases)("%s", (_, got, want) => {
    expect(got).toStrictEqual(want);
  });

  test("of no rule is told with what may have been meant", () => {
    const { curation } = loadCuration("test.yaml", curationText(TOOLS(", lint: {guesed_id: So.}")));
    expect(applyWaivers([], curation!, true)).toMatchObject([
      { hint: 'Did you mean "guessed_id"?', line: 5, column: 33 },
    ]);
  });
});

describe("codes", () => {
  test("every warning and note of the compiler and of the spec's reader can be waived", () => {
    const root = join(import.meta.dirname, "../../../src");
    const texts = ["compile", "spec", "curation"].flatMap((room) =>
      readdirSync(join(root, room), { recursive: true, encoding: "utf8" })
        .filter((path) => path.endsWith(".ts"))
        .map((path) => readFileSync(join(root, room, path), "utf8")),
    );
    const codes = texts.flatMap((text) => [
      ...[...text.matchAll(/"(?:warning|note)",\s*"([a-z_]+)"/g)].map(([, code]) => code),
      ...[...text.matchAll(/"(spec_[a-z_]+)",\s*"(?:warning|note)"/g)].map(([, code]) => code),
    ]);
    expect(new Set(codes).size).toBeGreaterThan(20);
    expect([...new Set(codes)].filter((code) => !WAIVABLE_CODES.includes(code ?? ""))).toStrictEqual([]);
  });

  test("no two rules have one", () => {
    const all = [...LINT_RULES.map(({ code }) => code), ...WAIVABLE_CODES, ...PROFILE_CODES];
    expect(all.filter((code, at) => all.indexOf(code) !== at)).toStrictEqual([]);
    expect(all.filter((code) => !/^[a-z]+(_[a-z]+)*$/.test(code))).toStrictEqual([]);
  });
});

test("without a waiver findings only get their tool, and with one nothing is lost and nothing gets worse", () => {
  const codes = ["guessed_id", "all_unpaged", "unpinned"];
  const problem = fc.record({
    line: fc.integer({ min: 1, max: 9 }),
    severity: fc.constantFrom<Severity>("error", "warning", "note"),
    code: fc.constantFrom(...codes),
    isRule: fc.constantFrom<true | undefined>(true, undefined),
  });
  const lint = fc
    .uniqueArray(fc.constantFrom(...codes), { maxLength: 3 })
    .map((list) => list.map((code) => `${code}: So.`).join(", "));
  fc.assert(
    fc.property(fc.array(problem), lint, lint, (list, ofTool, ofServer) => {
      const { curation } = loadCuration(
        "test.yaml",
        curationText(TOOLS(`, lint: {${ofTool}}`), { server: `lint: {${ofServer}}` }),
      );
      const found = list.map(({ isRule, ...one }): ToolProblem => {
        return { file: "test.yaml", column: 3, message: "It is so.", ...one, ...(isRule && { isRule }) };
      });
      const after = applyWaivers(found, curation!, true);
      for (const [at, one] of found.entries()) {
        const told = after[at]!;
        const isMeant = ofServer.includes(one.code) || (told.tool === "one" && ofTool.includes(one.code));
        const isWaived = isMeant && (one.severity !== "error" || one.isRule === true);
        expect([told.line, told.severity, told.code]).toStrictEqual(
          isWaived ? [one.line, "note", "waived"] : [one.line, one.severity, one.code],
        );
      }
      const idle = after.slice(found.length).map(({ code }) => code);
      expect(idle.every((code) => code === "unused_waiver" || code === "waiver_of_error")).toBe(true);
    }),
  );
});
