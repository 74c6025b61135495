import { inMarks } from "../manifest/code-marks.ts";
import type { FindingReport, ReportFinding } from "./report.ts";
import { visibleText } from "./visible-text.ts";
import { placeOf } from "./write-text.ts";

/** For a comment or a page. `mostBytes` leaves out findings at the end, and says how many. */
export function writeMarkdown(report: FindingReport, mostBytes = Number.POSITIVE_INFINITY): string {
  const head = `## ${proseOf(report.title)}\n\n${proseOf(report.summary)}`;
  const blocks = [head];
  // What is left out is told in less than this.
  let left = mostBytes - Buffer.byteLength(head) - 100;
  for (const [at, finding] of report.findings.entries()) {
    const block = describe(finding);
    left -= Buffer.byteLength(block) + 2;
    if (left < 0) return [...blocks, `${report.findings.length - at} more findings are left out here.`].join("\n\n");
    blocks.push(block);
  }
  return blocks.join("\n\n");
}

function describe(finding: ReportFinding): string {
  const { level, label, subject, rule, path, message, details } = finding;
  const where = path === undefined || path === "" ? "" : ` ${codeSpan(path)}`;
  return [
    `### ${proseOf(label ?? level)}: ${codeSpan(subject)}`,
    "",
    proseOf(message),
    "",
    `- rule: ${codeSpan(rule)}${where}`,
    ...details.map(([name, text]) => `- ${proseOf(name)}: ${isJson(text) ? codeSpan(text) : proseOf(text)}`),
    `- at: ${codeSpan(placeOf(finding))}`,
  ].join("\n");
}

/** Nothing in a code span acts: no markup, HTML, mention, reference or link (CommonMark 6.1). */
function codeSpan(text: string): string {
  return inMarks(visibleText(text));
}

/** Plain words stand as they are, what is in backticks is code, and so is every other word that could be more than itself. */
function proseOf(text: string): string {
  return visibleText(text)
    .replace(/(?:`[^`]+`|\S)+/g, wordOf)
    .trim();
}

const PLAIN = /^[("]*[\p{L}\p{N}]+(?:[/.,'’:-][\p{L}\p{N}]+)*[%").,;:!?]*$/u;
const CODE = /^([("]*)`([^`]+)`([.,;:!?)"]*)$/;
/** What renderers make a link of: an address, and what may name a commit or an issue. */
const LINKED = /www\.|^[0-9a-f]{7,64}$|^GH-\d+$/i;

function wordOf(word: string): string {
  const [, before = "", code, after = ""] = CODE.exec(word) ?? [];
  if (code !== undefined) return `${before}${inMarks(code)}${after}`;
  const isPlain = PLAIN.test(word) && !LINKED.test(word.replace(/[^\p{L}\p{N}.-]|\.$/gu, ""));
  if (isPlain || word === "→" || word === "–") return word;
  const [, bare = word, end = ""] = /^(.*[^.,;:!?])([.,;:!?]+)$/u.exec(word) ?? [];
  return `${inMarks(bare)}${end}`;
}

/** A value is one span, spaces and all. */
function isJson(text: string): boolean {
  if (!/^[[{"]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
