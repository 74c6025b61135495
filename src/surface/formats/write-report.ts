import type { FindingReport } from "./report.ts";
import { writeGithub } from "./write-github.ts";
import { writeJunit } from "./write-junit.ts";
import { writeMarkdown } from "./write-markdown.ts";
import { writeSarif } from "./write-sarif.ts";
import { writeText } from "./write-text.ts";

export interface WriteOptions {
  /** Of `text` alone. */
  readonly colour: boolean;
  /** When it was found, which `junit` tells; now unless said. */
  readonly at?: Date;
}

/** Each ends without a line feed. JSON is every command's own. */
const WRITERS = {
  text: writeText,
  markdown: (report) => writeMarkdown(report),
  github: writeGithub,
  sarif: writeSarif,
  junit: writeJunit,
} satisfies Readonly<Record<string, (report: FindingReport, options: WriteOptions) => string>>;

export type ReportFormat = keyof typeof WRITERS;

export const REPORT_FORMATS: readonly ReportFormat[] = ["text", "markdown", "github", "sarif", "junit"];

/** A report in one format, without a line feed at the end. Texts of others are escaped for it: they stay text. */
export function writeReport(report: FindingReport, format: ReportFormat, options: WriteOptions): string {
  return WRITERS[format](report, options);
}
