import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { UsageError } from "../../src/cli/command.ts";
import { readOutputs, writeOutputs } from "../../src/cli/report-output.ts";
import { UnreadableInput } from "../../src/model/errors.ts";
import { aFinding, aReport } from "../surface/formats/a-report.ts";

const report = aReport([aFinding()]);

function write(values: Parameters<typeof readOutputs>[0], env: Record<string, string> = {}, printed: string[] = []) {
  const notes: string[] = [];
  writeOutputs(
    readOutputs(values),
    report,
    { json: () => "[1]" },
    {
      print: (text) => void printed.push(text),
      note: (line) => void notes.push(line),
      colour: true,
      env,
      readStdin: async () => "",
      signal: new AbortController().signal,
    },
  );
  return { printed, notes };
}

describe("which formats are written", () => {
  test.each([
    [{}, { format: "text", files: [] }],
    [{ json: true }, { format: "json", files: [] }],
    [
      { json: true, format: "json" },
      { format: "json", files: [] },
    ],
    [{ output: ["sarif=a=b.json"] }, { format: "text", files: [{ format: "sarif", file: "a=b.json" }] }],
  ])("%j is read", (values, want) => {
    expect(readOutputs(values)).toStrictEqual(want);
  });

  test.each([
    [{ format: "xml" }, /no format "xml".*text, markdown/],
    [{ format: "" }, /no format/],
    [{ json: true, format: "sarif" }, /exclude each other/],
    [{ output: ["sarif"] }, /FORMAT=FILE/],
    [{ output: ["sarif="] }, /FORMAT=FILE/],
    [{ output: ["constructor=x"] }, /no format/],
  ])("%j is refused", (values, message) => {
    expect(() => readOutputs(values)).toThrow(UsageError);
    expect(() => readOutputs(values)).toThrow(message);
  });
});

describe("where they go", () => {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-output-"));

  test("several files at once, without colour, beside what is printed in colour", () => {
    const [text, json] = [join(folder, "a.txt"), join(folder, "a.json")];
    const { printed } = write({ output: [`text=${text}`, `json=${json}`] });
    expect(printed[0]).toContain("\u001b[");
    expect(readFileSync(text, "utf8")).toMatch(/^BREAKING {2}run_query/);
    expect(readFileSync(json, "utf8")).toBe("[1]\n");
  });

  test("a file that cannot be written is said", () => {
    expect(() => write({ output: [`text=${folder}/no/a.txt`] })).toThrow(UnreadableInput);
  });

  test("one that cannot be written costs neither the others nor what is printed", () => {
    const other = join(folder, "other.json");
    const printed: string[] = [];
    expect(() => write({ output: [`text=${folder}/no/a.txt`, `json=${other}`] }, {}, printed)).toThrow(UnreadableInput);
    expect([readFileSync(other, "utf8"), printed.length]).toStrictEqual(["[1]\n", 1]);
  });

  test("github adds to the step summary, and goes on without one", () => {
    const summary = join(folder, "summary.md");
    writeFileSync(summary, "before\n");
    write({ format: "github" }, { GITHUB_STEP_SUMMARY: summary });
    expect(readFileSync(summary, "utf8")).toMatch(/^before\n## vitrine diff\n/);
    expect(write({ format: "github" }, { GITHUB_STEP_SUMMARY: folder }).notes).toStrictEqual([
      "vitrine: the step summary cannot be written (EISDIR).",
    ]);
    expect(write({ format: "github" }, {}).printed[0]).toMatch(/^::error /);
  });
});
