import type { Problem, Severity } from "../../model/problem.ts";

const COLOURS: Readonly<Record<Severity, string>> = { error: "31", warning: "33", note: "36" };

/** Findings in the order of the files, for a person: one aligned line each, and its hint below. */
export function formatFindings(problems: readonly Problem[], colour: boolean): string {
  const places = problems.map((problem) => `${problem.file}:${problem.line}:${problem.column}`);
  const width = (texts: readonly string[]): number => Math.max(0, ...texts.map((text) => text.length));
  const [place, severity, code] = [
    width(places),
    width(problems.map((p) => p.severity)),
    width(problems.map((p) => p.code)),
  ];
  const lines = problems.map((problem, at) => {
    const shown = paint(problem.severity.padEnd(severity), COLOURS[problem.severity], colour);
    const head = `${(places[at] ?? "").padEnd(place)}  ${shown}  ${problem.code.padEnd(code)}  ${problem.message}`;
    return problem.hint === undefined ? head : `${head}\n${" ".repeat(place + 2)}${paint(problem.hint, "2", colour)}`;
  });
  return lines.join("\n");
}

/** Findings for a program: exactly these keys, null where there is no hint. */
export function findingsJson(problems: readonly Problem[]): string {
  const rows = problems.map(({ code, severity, file, line, column, message, hint }) => {
    return { code, severity, file, line, column, message, hint: hint ?? null };
  });
  return JSON.stringify(rows, null, 2);
}

/** By file, line and column; findings of one place keep their order. */
export function sortFindings(problems: readonly Problem[]): Problem[] {
  return problems.toSorted((a, b) => compare(a.file, b.file) || a.line - b.line || a.column - b.column);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function paint(text: string, code: string, colour: boolean): string {
  return colour ? `\u001b[${code}m${text}\u001b[0m` : text;
}
