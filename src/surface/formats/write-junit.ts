import type { FindingReport, ReportFinding } from "./report.ts";
import { visibleText } from "./visible-text.ts";
import { placeOf } from "./write-text.ts";

/** JUnit's XML as Ant writes it: one test case a subject, which fails by its findings of level error; all other findings stand in `system-out`. */
export function writeJunit(report: FindingReport, { at = new Date() }: { readonly at?: Date }): string {
  const errors = new Map<string, ReportFinding[]>();
  for (const finding of report.findings.filter(({ level }) => level === "error"))
    errors.set(finding.subject, [...(errors.get(finding.subject) ?? []), finding]);
  const subjects = [...new Set([...report.subjects, ...errors.keys()])];
  const others = report.findings.filter(({ level }) => level !== "error");
  const suite = attributes([
    ["name", report.title],
    ["package", "vitrine"],
    ["id", "0"],
    ["timestamp", at.toISOString().slice(0, 19)],
    ["hostname", "localhost"],
    ["tests", String(subjects.length)],
    ["failures", String(errors.size)],
    ["errors", "0"],
    ["time", "0"],
  ]);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    "<testsuites>",
    `  <testsuite${suite}>`,
    "    <properties>",
    `      <property${attributes([
      ["name", "vitrine"],
      ["value", report.version],
    ])}/>`,
    "    </properties>",
    ...subjects.map((subject) => testCase(report.title, subject, errors.get(subject) ?? [])),
    `    <system-out>${[report.summary, ...others.map(describe)].map(escapeXml).join("\n")}</system-out>`,
    "    <system-err></system-err>",
    "  </testsuite>",
    "</testsuites>",
  ].join("\n");
}

function testCase(title: string, subject: string, failures: readonly ReportFinding[]): string {
  const head = `    <testcase${attributes([
    ["name", subject],
    ["classname", title],
    ["time", "0"],
  ])}`;
  const [first] = failures;
  if (first === undefined) return `${head}/>`;
  const more = failures.length > 1 ? ` (and ${failures.length - 1} more)` : "";
  const failure = attributes([
    ["message", `${first.message}${more}`],
    ["type", first.rule],
  ]);
  return `${head}>\n      <failure${failure}>${failures.map(describe).map(escapeXml).join("\n\n")}</failure>\n    </testcase>`;
}

function describe(finding: ReportFinding): string {
  const { level, label, subject, rule, path, message, details } = finding;
  const head = `${label ?? level} ${subject} ${rule}${path === undefined ? "" : ` ${path}`}`;
  const facts = details.map(([name, text]) => `  ${visibleText(`${name}: ${text}`)}`);
  return [visibleText(head), `  ${visibleText(message)}`, ...facts, `  at: ${placeOf(finding)}`].join("\n");
}

function attributes(pairs: readonly (readonly [name: string, value: string])[]): string {
  return pairs.map(([name, value]) => ` ${name}="${escapeXml(visibleText(value))}"`).join("");
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&apos;"],
]);

/** `visibleText` has already spelt what XML 1.0 has no character for. */
function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES.get(character) ?? character);
}
