import { createHash } from "node:crypto";
import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import type { FindingReport, ReportFinding, ReportRule } from "./report.ts";
import { visibleText } from "./visible-text.ts";

/** SARIF 2.1.0 (OASIS), one run. Levels are ours; fingerprints hold no lines, so that a finding stays itself when lines move. */
export function writeSarif(report: FindingReport): string {
  const indexes = new Map(report.rules.map(({ id }, at) => [id, at]));
  const log = {
    $schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "vitrine", version: report.version, rules: report.rules.map(writeRule) } },
        automationDetails: { id: `${report.title}/` },
        columnKind: "utf16CodeUnits",
        results: report.findings.map((finding) => writeResult(finding, indexes.get(finding.rule))),
      },
    ],
  };
  return JSON.stringify(log, null, 2);
}

function writeRule({ id, title, help, level }: ReportRule) {
  return {
    id,
    shortDescription: { text: messageText(title) },
    ...(help !== undefined && { help: { text: messageText(help) } }),
    defaultConfiguration: { level },
  };
}

function writeResult(finding: ReportFinding, ruleIndex: number | undefined) {
  const { rule, level, label, subject, path, message, details, file, line, column } = finding;
  const facts = details.map(([name, text]) => messageText(`${name}: ${text}`));
  return {
    ruleId: rule,
    ...(ruleIndex !== undefined && { ruleIndex }),
    level,
    message: { text: [messageText(message), ...facts].join("\n") },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(file) },
          region: { startLine: line, ...(column !== undefined && { startColumn: column }) },
        },
        logicalLocations: [{ name: visibleText(subject), fullyQualifiedName: visibleText(`${subject}${path ?? ""}`) }],
      },
    ],
    partialFingerprints: { "vitrine/v1": fingerprint(finding) },
    ...(label !== undefined && { properties: { tags: [label] } }),
  };
}

/** Stable when lines move and words change. */
function fingerprint({ rule, subject, path = "" }: ReportFinding): string {
  return createHash("sha256")
    .update(JSON.stringify([rule, subject, path]))
    .digest("hex");
}

/** No placeholder (SARIF 2.1.0, 3.11.5) and no link (3.11.6). */
function messageText(text: string): string {
  return visibleText(text).replace(/[{}]/g, "$&$&").replaceAll("](", "] (");
}

/** Relative to the working directory, else absolute (RFC 3986). */
function uriOf(file: string): string {
  if (isAbsolute(file)) return pathToFileURL(file).href;
  const path = file.replaceAll("\\", "/").replace(/\p{Cs}/gu, "\uFFFD");
  return path.split("/").map(encodeURIComponent).join("/");
}
