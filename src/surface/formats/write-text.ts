import type { Severity } from "../../model/problem.ts";
import type { FindingReport, ReportFinding } from "./report.ts";
import { visibleText } from "./visible-text.ts";

const COLOURS: Readonly<Record<Severity, string>> = { error: "31", warning: "33", note: "36" };
const DIM = "2";

/** For a person at a terminal: each finding with its place and facts, and what came out as the last line. */
export function writeText(report: FindingReport, { colour }: { readonly colour: boolean }): string {
  const paint = (text: string, code: string): string => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
  const blocks = report.findings.map((finding) => describe(finding, paint));
  return [...blocks, visibleText(report.summary)].join("\n\n");
}

function describe(finding: ReportFinding, paint: (text: string, code: string) => string): string {
  const { level, label, subject, rule, path, message, details } = finding;
  const shown = paint(label === undefined ? level : visibleText(label), COLOURS[level]);
  const where = path === undefined || path === "" ? "" : ` ${paint(visibleText(path), DIM)}`;
  return [
    `${shown}  ${visibleText(subject)}  ${rule}${where}`,
    `  ${visibleText(message)}`,
    ...details.map(([name, text]) => `  ${paint(`${visibleText(name)}:`, DIM)} ${visibleText(text)}`),
    `  ${paint("at:", DIM)} ${placeOf(finding)}`,
  ].join("\n");
}

/** `FILE:LINE` or `FILE:LINE:COLUMN`. */
export function placeOf({ file, line, column }: ReportFinding): string {
  return `${visibleText(file)}:${line}${column === undefined ? "" : `:${column}`}`;
}
