import type { Json, JsonObject } from "../../model/json.ts";
import { jsonBytes } from "./json-bytes.ts";

/** What `,"data":[` and `]` add to the text of the head, whose closing brace moves behind them. */
const DATA_BYTES = 10;

export interface FittedRows {
  /** How many rows, from the first on, the reply can hold. */
  readonly shown: number;
  /** The JSON text of the list of these; undefined where there are rows and not even one fits. */
  readonly data?: string;
  /** All but `data`, for so many rows, and its text; absent where it was not looked at. */
  readonly head?: WrittenHead;
}

export interface WrittenHead {
  readonly head: JsonObject;
  readonly text: string;
}

/**
 * Drops rows from the end until the reply's text takes no more than so many bytes of UTF-8, everything counted. `head` gives all but
 * `data` for so many rows; it may only grow with them, but for the last one, with which nothing is left to be told.
 */
export function cutToBudget(rows: readonly Json[], budget: number, head: (shown: number) => JsonObject): FittedRows {
  return writeAll(rows, budget, head) ?? writeFitting(rows, budget, head);
}

type Head = Parameters<typeof cutToBudget>[2];

/**
 * Rows are much alike, and often grow with their numbers: where the first and the last one say that all will fit they are written at once. Undefined
 * where these do not, or the rows do not fit.
 */
function writeAll(rows: readonly Json[], budget: number, head: Head): FittedRows | undefined {
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  if (((jsonBytes(first) + jsonBytes(last)) / 2) * rows.length > budget) return undefined;
  const written = write(head(rows.length));
  const data = JSON.stringify(rows);
  const bytes = Buffer.byteLength(written.text) + DATA_BYTES + Buffer.byteLength(data) - BRACKETS;
  return bytes > budget ? undefined : { shown: rows.length, data, head: written };
}

const BRACKETS = 2;

function write(head: JsonObject): WrittenHead {
  return { head, text: JSON.stringify(head) };
}

function writeFitting(rows: readonly Json[], budget: number, head: Head): FittedRows {
  const texts: string[] = [];
  const sums = [0];
  for (const row of rows) {
    const text = JSON.stringify(row);
    texts.push(text);
    sums.push(sums.at(-1)! + Buffer.byteLength(text) + (sums.length > 1 ? 1 : 0));
    if (sums.at(-1)! > budget) break;
  }
  // Of the most rows that were found to fit.
  let written: WrittenHead | undefined;
  /** The bytes that the head of so many rows leaves to them. */
  const roomOf = (shown: number): number => {
    const tried = write(head(shown));
    const room = budget - DATA_BYTES - Buffer.byteLength(tried.text);
    if ((sums[shown] ?? Number.POSITIVE_INFINITY) <= room) written = tried;
    return room;
  };
  const fits = (shown: number) => (sums[shown] ?? Number.POSITIVE_INFINITY) <= roomOf(shown);
  const findFitting = (): number => {
    const most = Math.min(texts.length, rows.length - 1);
    if (most <= 0) return 0;
    // Heads differ by little, so that two of them nearly always show where the rows end.
    const near = countWithin(sums, roomOf(most), most);
    const room = roomOf(near);
    return sums[near]! <= room ? findMost(near, countWithin(sums, room, most), fits) : findMost(0, most, fits);
  };
  const shown = sums.length > rows.length && fits(rows.length) ? rows.length : findFitting();
  if (shown === 0 && rows.length > 0) return { shown };
  return { shown, data: `[${texts.slice(0, shown).join(",")}]`, ...(written !== undefined && { head: written }) };
}

/** Rows from the first on that take no more bytes, `most` at most. */
function countWithin(sums: readonly number[], bytes: number, most: number): number {
  let count = most;
  while (count > 0 && sums[count]! > bytes) count -= 1;
  return count;
}

function findMost(least: number, most: number, fits: (shown: number) => boolean): number {
  let [low, high] = [least, Math.max(least, most)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
