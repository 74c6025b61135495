import type { Json, JsonObject } from "../../model/json.ts";
import { jsonBytes } from "./json-bytes.ts";

/** What `,"data":[` and `]` add to the text of the head, whose closing brace moves behind them. */
const DATA_BYTES = 10;

export interface FittedRows {
  /** How many rows, from the first on, the reply can hold. */
  readonly shown: number;
  /** The JSON text of the list of these; undefined where there are rows and not even one fits. */
  readonly data?: string;
}

/**
 * Drops rows from the end until the reply's text takes no more than so many bytes of UTF-8, everything counted. `head` gives all but
 * `data` for so many rows; it may only grow with them, but for the last one, with which nothing is left to be told.
 */
export function cutToBudget(rows: readonly Json[], budget: number, head: (shown: number) => JsonObject): FittedRows {
  const texts: string[] = [];
  const sums = [0];
  for (const row of rows) {
    const text = JSON.stringify(row);
    texts.push(text);
    sums.push(sums.at(-1)! + Buffer.byteLength(text) + (sums.length > 1 ? 1 : 0));
    if (sums.at(-1)! > budget) break;
  }
  const fits = (shown: number) => {
    const sum = sums[shown];
    return sum !== undefined && sum + jsonBytes(head(shown)) + DATA_BYTES <= budget;
  };
  const shown = fits(rows.length) ? rows.length : findMost(Math.min(texts.length, rows.length - 1), fits);
  if (shown === 0 && rows.length > 0) return { shown };
  return { shown, data: `[${texts.slice(0, shown).join(",")}]` };
}

function findMost(most: number, fits: (shown: number) => boolean): number {
  let [low, high] = [0, Math.max(0, most)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
