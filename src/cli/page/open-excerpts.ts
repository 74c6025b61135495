import { resolve } from "node:path";
import { UnreadableInput } from "../../model/errors.ts";
import { visibleText } from "../../surface/formats/visible-text.ts";
import type { PageFinding } from "../../web/page-data.ts";
import { readFile } from "../toolset/read-file.ts";

const AROUND = 3;
const LONGEST_LINE = 200;

/** The lines around a place, of these files alone (by absolute path): whatever else a finding may name is not read for it. */
export function openExcerpts(
  files: ReadonlySet<string>,
): (file: string, line: number) => PageFinding["excerpt"] | undefined {
  const read = new Map<string, readonly string[]>();
  const linesOf = (file: string): readonly string[] => {
    const path = resolve(file);
    const lines = read.get(path) ?? (files.has(path) ? readLines(path) : []);
    read.set(path, lines);
    return lines;
  };
  return (file, line) => {
    const lines = linesOf(file);
    if (line < 1 || line > lines.length) return undefined;
    const firstLine = Math.max(1, line - AROUND);
    return {
      firstLine,
      lines: lines.slice(firstLine - 1, line + AROUND).map((one) => visibleText(hideLiteral(one), LONGEST_LINE)),
    };
  };
}

function readLines(path: string): readonly string[] {
  try {
    return readFile(path).text.split(/\r\n|\n|\r/);
  } catch (error) {
    if (error instanceof UnreadableInput) return [];
    throw error;
  }
}

/** Of a credential everything is secret, also where it stands in the file as it is; what is read of the environment is only named there. */
function hideLiteral(line: string): string {
  return line.replace(LITERAL, (whole, key: string, value: string) =>
    /\$\{/.test(value) ? whole : `${key}***${/\s*$/.exec(value)?.[0] ?? ""}`,
  );
}

const LITERAL =
  /(["']?\b(?:apiKey|bearer|password|clientSecret|authorization|x-api-key|token)\b["']?\s*:\s*)("(?:[^"\\]|\\.)*"|'[^']*'|[^\s{[&*#][^,}]*)/gi;
