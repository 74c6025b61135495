import { showHidden } from "./hidden-characters.ts";

/** As a block of code, with a fence that is longer than any in it. */
export function block(text: string): string {
  const shown = showHidden(text).trimEnd();
  const fence = "`".repeat(Math.max(3, longestRun(shown) + 1));
  return `${fence}text\n${shown}\n${fence}`;
}

export function spans(texts: readonly string[]): string {
  return texts.map(span).join(", ");
}

export function span(text: string): string {
  return inMarks(showHidden(text).replace(/\s+/g, " ").trim());
}

/** A line within longer marks than any in it (CommonMark 6.1). */
export function inMarks(line: string): string {
  const marks = "`".repeat(longestRun(line) + 1);
  const space = line === "" || /^[` ]|[` ]$/.test(line) ? " " : "";
  return `${marks}${space}${line}${space}${marks}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}
