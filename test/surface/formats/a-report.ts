import fc from "fast-check";
import type { FindingReport, ReportFinding } from "../../../src/surface/formats/report.ts";

export function aFinding(more: Partial<ReportFinding> = {}): ReportFinding {
  return {
    rule: "parameter_removed",
    level: "error",
    label: "BREAKING",
    subject: "run_query",
    path: "/inputSchema/properties/a",
    message: "The parameter `a` is gone.",
    details: [["before", '{"type":"string"}']],
    file: "curation/ledger.yaml",
    line: 3,
    ...more,
  };
}

export function aReport(findings: readonly ReportFinding[], subjects: readonly string[] = []): FindingReport {
  return {
    title: "vitrine diff",
    version: "0.1.0",
    summary: `${findings.length} changes.`,
    rules: [...new Set(findings.map(({ rule }) => rule))].map((id) => ({ id, title: id, level: "error" })),
    findings,
    subjects: [...new Set([...subjects, ...findings.map(({ subject }) => subject)])],
  };
}

/** Text as a hostile spec may hold it: any code unit, and pieces that some reader obeys. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary", maxLength: 8 }),
      fc.constantFrom(
        "\n",
        "\r\n",
        "::error::",
        "##[set-env]",
        "%0A",
        "<!--",
        "-->",
        "<b>",
        "@octocat",
        "#12",
        "`",
        "``",
      ),
      fc.constantFrom(
        "\u001b[2J",
        "\u202e",
        "\u200b",
        "\ud800",
        "\u2028",
        "]]>",
        "&amp;",
        "{0}",
        "[x](1)",
        "|",
        "*",
        "_",
        "  ",
      ),
      fc.constantFrom(
        "https://evil.example",
        "www.evil.example",
        "deadbeef",
        "GH-1",
        "- ",
        "# ",
        "\n\n## ",
        "~~~",
        "$x$",
        ":+1:",
      ),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));

/** Reports all of whose free text is hostile. */
export const hostileReport: fc.Arbitrary<FindingReport> = fc
  .array(
    fc.record({
      level: fc.constantFrom("error" as const, "warning" as const, "note" as const),
      subject: hostileText,
      path: hostileText,
      message: hostileText,
      details: fc.array(fc.tuple(fc.constant("before"), hostileText), { maxLength: 2 }),
      file: hostileText,
      line: fc.integer({ min: 1, max: 9_999 }),
    }),
    { maxLength: 4 },
  )
  .map((findings) => aReport(findings.map((one) => aFinding(one))));
