import { capitalize } from "../../model/capitalize.ts";
import type { Problem, Severity } from "../../model/problem.ts";
import type { FindingReport, ReportFinding, ReportRule } from "../../surface/formats/report.ts";
import { LINT_RULES } from "../../surface/lint/lint-rules.ts";
import type { ToolProblem } from "../../surface/lint/waivers.ts";
import { version } from "../version.ts";

/** From the worst on. */
const SEVERITIES: readonly Severity[] = ["error", "warning", "note"];

/** What was found, for the formats that other programs read. `file` is the curation as the user typed it, `tools` are its keys. */
export function makeReport(problems: readonly ToolProblem[], file: string, tools: readonly string[]): FindingReport {
  const findings = SEVERITIES.flatMap((level) => problems.filter(({ severity }) => severity === level)).map((problem) =>
    describe(problem, file),
  );
  return {
    title: "vitrine check",
    version,
    summary: countWords(problems),
    rules: [...LINT_RULES.map(describeRule), ...furtherRules(problems)],
    findings: numberDoubles(findings),
    subjects: [...new Set([file, ...tools, ...findings.map(({ subject }) => subject)])],
  };
}

/** `1 error, 0 warnings, 2 notes.` */
export function countWords(problems: readonly Problem[]): string {
  const counts = SEVERITIES.map((severity) => {
    const { length } = problems.filter((problem) => problem.severity === severity);
    return `${length} ${severity}${length === 1 ? "" : "s"}`;
  });
  return `${counts.join(", ")}.`;
}

function describe(problem: ToolProblem, curation: string): ReportFinding {
  const { code, severity, message, hint, tool, path, file, line, column } = problem;
  return {
    rule: code,
    level: severity,
    subject: tool ?? (file === "" ? curation : file),
    ...(path !== undefined && { path }),
    message,
    details: hint === undefined ? [] : [["hint", hint]],
    file,
    line,
    column,
  };
}

/** Findings of one rule in one subject are told apart by their number where they have no path. */
function numberDoubles(findings: readonly ReportFinding[]): readonly ReportFinding[] {
  const seen = new Map<string, number>();
  return findings.map((finding) => {
    const { rule, subject, path = "" } = finding;
    const key = JSON.stringify([rule, subject, path]);
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    return count === 1 ? finding : { ...finding, path: `${path}#${count}` };
  });
}

function describeRule({ code, title, why, severity }: (typeof LINT_RULES)[number]): ReportRule {
  return { id: code, title, help: why, level: severity };
}

/** The compiler's own codes say in words what they are. */
function furtherRules(problems: readonly Problem[]): readonly ReportRule[] {
  const own = new Set(LINT_RULES.map(({ code }) => code));
  const codes = [...new Set(problems.map(({ code }) => code))].filter((code) => !own.has(code)).toSorted();
  return codes.map((id) => {
    const level = SEVERITIES.find((one) => problems.some(({ code, severity }) => code === id && severity === one));
    return { id, title: capitalize(id.replaceAll("_", " ")), level: level ?? "note" };
  });
}
