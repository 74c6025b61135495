import { isJsonObject, type Json, ownValue } from "../../model/json.ts";
import type { Column } from "./list-columns.ts";
import { isPlain } from "./present.ts";
import { propertyOf } from "./project.ts";

/** What the facts of a reply may take of a budget that is too small for them. */
const FACTS = 2_000;

/** The rows of a reply never take more bytes than these, with a comma behind each. */
export function mostBytes(budget: number, tokenBytes: number): number {
  return Math.max(budget, FACTS + tokenBytes);
}

/** No reply of this budget can show more rows than these. */
export function mostRows(budget: number, columns: readonly Column[] | undefined, tokenBytes: number): number {
  return Math.ceil(mostBytes(budget, tokenBytes) / leastRow(columns ?? [])) + 1;
}

/** A row has at least the names of its columns, and for each one a digit. */
function leastRow(columns: readonly Column[]): number {
  return columns.reduce((sum, { name }) => sum + Buffer.byteLength(JSON.stringify(name)) + 3, 1);
}

/** Gives what a row of the upstream takes at least where it is shown with these columns: texts that are shown as they came are known before. */
export function measureLeast(columns: readonly Column[]): (row: Json) => number {
  const least = leastRow(columns);
  const shownAsTheyCame = columns.filter(isPlain).flatMap((column) => propertyOf(column) ?? []);
  return (row) => {
    // Whoever sends no objects is refused for all of them, or none.
    if (!isJsonObject(row)) return 0;
    let bytes = least;
    for (const name of shownAsTheyCame) bytes += leastCell(ownValue(row, name)) - DIGIT;
    return bytes;
  };
}

const DIGIT = 1;
const QUOTES = 2;

function leastCell(value: Json | undefined): number {
  if (typeof value === "string") return value.length + QUOTES;
  if (typeof value === "number") return Math.abs(value) < 1_000 ? DIGIT : "1e+3".length;
  return typeof value === "object" ? QUOTES : "true".length;
}
