import { appendFileSync, statSync, writeFileSync } from "node:fs";
import { UnreadableInput } from "../model/errors.ts";
import type { FindingReport } from "../surface/formats/report.ts";
import { visibleJson } from "../surface/formats/visible-text.ts";
import { writeStepSummary } from "../surface/formats/write-github.ts";
import { REPORT_FORMATS, type ReportFormat, writeReport } from "../surface/formats/write-report.ts";
import { type Shell, UsageError } from "./command.ts";

export const OUTPUT_OPTIONS = {
  json: { type: "boolean", default: false },
  format: { type: "string" },
  output: { type: "string", multiple: true },
} as const;

export type OutputFormat = ReportFormat | "json";
const FORMATS: readonly OutputFormat[] = [...REPORT_FORMATS, "json"];

export const OUTPUT_HELP = `  --format FORMAT       ${FORMATS.join(", ")} (default: text); github also adds to the step summary
  --output FORMAT=FILE  write a file beside that; may be given several times
  --json                as --format json`;

/** What is printed, and which files are written. */
export interface Outputs {
  readonly format: OutputFormat;
  readonly files: readonly { readonly format: OutputFormat; readonly file: string }[];
}

interface OutputValues {
  readonly json?: boolean | undefined;
  readonly format?: string | undefined;
  readonly output?: readonly string[] | undefined;
}

/** Throws `UsageError`. */
export function readOutputs({ json = false, format, output = [] }: OutputValues): Outputs {
  if (json && format !== undefined && format !== "json")
    throw new UsageError(`--json and --format ${format} exclude each other.`);
  return { format: json ? "json" : readFormat(format ?? "text"), files: output.map(readFileOutput) };
}

function readFormat(name: string): OutputFormat {
  const format = FORMATS.find((one) => one === name);
  if (format === undefined) throw new UsageError(`There is no format "${name}". There are: ${FORMATS.join(", ")}`);
  return format;
}

function readFileOutput(text: string): { format: OutputFormat; file: string } {
  const [, format, file] = /^([^=]*)=(.+)$/s.exec(text) ?? [];
  if (format === undefined || file === undefined) throw new UsageError(`--output wants FORMAT=FILE, not "${text}".`);
  return { format: readFormat(format), file };
}

/** A format that a command writes in its own way. */
export type OwnWriters = Readonly<Partial<Record<OutputFormat, (colour: boolean) => string>>> & {
  readonly json: () => string;
};

/** Writes the files and prints. Throws `UnreadableInput` where a file cannot be written, once all else is done. */
export function writeOutputs({ format, files }: Outputs, report: FindingReport, own: OwnWriters, shell: Shell): void {
  const write = (wanted: OutputFormat, colour: boolean): string =>
    wanted === "json" ? visibleJson(own.json()) : (own[wanted]?.(colour) ?? writeReport(report, wanted, { colour }));
  const faults = files.flatMap(({ format: wanted, file }) => writeFile(file, `${write(wanted, false)}\n`) ?? []);
  const text = write(format, shell.colour);
  if (text !== "") shell.print(text);
  if (format === "github") addSummary(report, shell);
  const [first] = faults;
  if (first !== undefined) throw first;
}

function writeFile(file: string, text: string): UnreadableInput | undefined {
  try {
    writeFileSync(file, text);
    return undefined;
  } catch (error) {
    return new UnreadableInput(`${file}: cannot be written (${codeOf(error)}).`, { cause: error });
  }
}

/** To where GitHub Actions says. The findings count without it. */
function addSummary(report: FindingReport, { env, note }: Shell): void {
  const file = env.GITHUB_STEP_SUMMARY;
  if (file === undefined || file === "") return;
  try {
    const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    appendFileSync(file, writeStepSummary(report, bytes));
  } catch (error) {
    note(`vitrine: the step summary cannot be written (${codeOf(error)}).`);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
