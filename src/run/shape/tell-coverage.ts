import type { RowCounts } from "./write-note.ts";

type Counts = Pick<RowCounts, "shown" | "start" | "total" | "unreachable" | "noun" | "ranked" | "summarized">;

/** How much of the whole the rows shown are, made from the numbers of the reply: the first half of a sentence. */
export function tellCoverage(counts: Counts): string {
  const shares = counts.summarized?.shares ?? [];
  if (shares.length > 0 && counts.shown > 0) return `${subject(counts)} = ${tellShares(shares)}`;
  const { shown, start, unreachable, noun } = counts;
  const total = counts.total ?? counts.summarized?.count;
  if (total !== undefined) {
    const sent = unreachable ? " that the upstream sent (it has more)" : "";
    return start === undefined || start === 0
      ? `${shown} of ${total} ${noun}${sent}`
      : `${span(start, shown, noun)} of ${total}${sent}`;
  }
  if (shown === 0) return `No ${noun} yet; there are more`;
  return start === 0 ? `The first ${some(shown, noun)}; there are more` : `${many(shown, noun)}; there are more`;
}

/** `Top` is said of the rows that come first where the largest do. */
function subject({ shown, start, ranked, noun, summarized }: Counts): string {
  const isOneUnit = summarized?.shares.every(({ unit }) => unit === undefined) ?? false;
  if (ranked === undefined || start === undefined || !isOneUnit)
    return `${shown === 1 ? "This" : "These"} ${some(shown, noun)}`;
  return start === 0 ? `Top ${some(shown, noun)} by ${ranked}` : `${span(start, shown, noun)} by ${ranked}`;
}

function tellShares(shares: readonly { readonly unit: string | undefined; readonly pct: number }[]): string {
  const told = shares.slice(0, MOST_UNITS).map(({ unit, pct }) => `${pct}% of the total${unit ? ` in ${unit}` : ""}`);
  return told.join(", ");
}

const MOST_UNITS = 5;

function span(start: number, shown: number, noun: string): string {
  const name = noun === "rows" ? "Rows" : "Groups";
  return shown === 1 ? `${name.slice(0, -1)} ${start + 1}` : `${name} ${start + 1} to ${start + shown}`;
}

function many(count: number, noun: string): string {
  return count === 1 ? `1 ${noun.slice(0, -1)}` : `${count} ${noun}`;
}

/** Behind a word that says already whether it is one. */
function some(count: number, noun: string): string {
  return count === 1 ? noun.slice(0, -1) : `${count} ${noun}`;
}
