import type { Severity } from "../../model/problem.ts";
import type { FindingReport, ReportFinding } from "./report.ts";
import { visibleText } from "./visible-text.ts";
import { writeMarkdown } from "./write-markdown.ts";

const COMMANDS: Readonly<Record<Severity, string>> = { error: "error", warning: "warning", note: "notice" };

/** GitHub shows ten annotations a type and step; what comes after is dropped without a word. */
const MOST_PER_TYPE = 10;
/** Of a step summary, by GitHub's bound of 1 MiB. */
const MOST_SUMMARY_BYTES = 1024 * 1024;
/** Enough for a title and a summary line. */
const ROOM_BYTES = 4_000;

/** Workflow commands of GitHub Actions: annotations at their lines, the worst first, and how many are not shown. */
export function writeGithub(report: FindingReport): string {
  const shown = (Object.keys(COMMANDS) as Severity[]).flatMap((level) =>
    report.findings.filter((finding) => finding.level === level).slice(0, MOST_PER_TYPE),
  );
  const left = report.findings.length - shown.length;
  return [
    ...shown.map((finding) => command(finding)),
    ...(left > 0 ? [`${left} more findings have no annotation.`] : []),
    visibleText(report.summary),
  ].join("\n");
}

/** What may be added to a step's summary that holds `bytes` already: the report in Markdown, cut where it is too long; nothing where there is no room. */
export function writeStepSummary(report: FindingReport, bytes = 0): string {
  if (MOST_SUMMARY_BYTES - bytes < ROOM_BYTES) return "";
  return `${writeMarkdown(report, MOST_SUMMARY_BYTES - bytes - 2)}\n\n`;
}

function command(finding: ReportFinding): string {
  const { level, label, subject, rule, message, details, file, line, column } = finding;
  const title = `${label ?? level}: ${subject}: ${rule}`;
  const properties = [
    ["file", file],
    ["line", String(line)],
    ...(column === undefined ? [] : [["col", String(column)]]),
    ["title", title],
  ].map(([name, value = ""]) => `${name}=${escapeProperty(visibleText(value))}`);
  const text = [message, ...details.map(([name, fact]) => `${name}: ${fact}`)];
  return `::${COMMANDS[level]} ${properties.join(",")}::${escapeData(text.map((one) => visibleText(one)).join("\n"))}`;
}

// As the runner reads them back: ActionCommand.cs of actions/runner.
function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
