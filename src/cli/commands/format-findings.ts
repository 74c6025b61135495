import { compareTexts } from "../../model/compare-texts.ts";
import type { Problem, Severity } from "../../model/problem.ts";
import { visibleJson, visibleText } from "../../surface/formats/visible-text.ts";

const COLOURS: Readonly<Record<Severity, string>> = { error: "31", warning: "33", note: "36" };

/** Findings in the order of the files, for a person: one aligned line each, and its hint below. What a spec says cannot act on the terminal. */
export function formatFindings(problems: readonly Problem[], colour: boolean): string {
  const places = problems.map((problem) => `${visibleText(problem.file)}:${problem.line}:${problem.column}`);
  const width = (texts: readonly string[]): number => Math.max(0, ...texts.map((text) => text.length));
  const [place, severity, code] = [
    width(places),
    width(problems.map((p) => p.severity)),
    width(problems.map((p) => p.code)),
  ];
  const lines = problems.map((problem, at) => {
    const shown = paint(problem.severity.padEnd(severity), COLOURS[problem.severity], colour);
    const head = `${(places[at] ?? "").padEnd(place)}  ${shown}  ${problem.code.padEnd(code)}  ${visibleText(problem.message)}`;
    return problem.hint === undefined
      ? head
      : `${head}\n${" ".repeat(place + 2)}${paint(visibleText(problem.hint), "2", colour)}`;
  });
  return lines.join("\n");
}

/** Findings for a program: exactly these keys, null where there is no hint. */
export function findingsJson(problems: readonly Problem[]): string {
  const rows = problems.map(({ code, severity, file, line, column, message, hint }) => {
    return { code, severity, file, line, column, message, hint: hint ?? null };
  });
  return visibleJson(JSON.stringify(rows, null, 2));
}

/** By file, line and column; findings of one place keep their order. What one anchor of YAML brought into several tools stands once. */
export function sortFindings(problems: readonly Problem[]): Problem[] {
  const told = new Set<string>();
  const distinct = problems.filter(({ file, line, column, code, message }) => {
    const key = JSON.stringify([file, line, column, code, message]);
    const isNew = !told.has(key);
    told.add(key);
    return isNew;
  });
  return distinct.toSorted((a, b) => compareTexts(a.file, b.file) || a.line - b.line || a.column - b.column);
}

function paint(text: string, code: string, colour: boolean): string {
  return colour ? `\u001b[${code}m${text}\u001b[0m` : text;
}
