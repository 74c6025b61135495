import { patternLike, patternOfRows } from "./row-pattern.ts";

export interface Skipped {
  /** Where the rest begins: behind the comma of the last row. */
  readonly at: number;
  readonly count: number;
}

/**
 * As many rows as there are whole ones with a comma behind them, but no more than `most`; `before` is how many came before. `text` is bytes as Latin-1.
 */
export type SkipRows = (text: string, from: number, most: number, before: number) => Skipped;

/** Looked at together. */
const MANY = 16;
const ONE_ROW = patternOfRows(1);
const MANY_ROWS = patternOfRows(MANY);
/** Of so many rows it is worth it to learn how they are written. */
const LEARN_AFTER = 100;

/** For the rows of one list that are checked and counted, and of which nothing is kept. A row that a pattern does not match is left to `scanValue`. */
export function openSkip(): SkipRows {
  let many = MANY_ROWS;
  let isLearned = false;
  return (text, from, most, before) => {
    let [at, count] = [from, 0];
    const skip = (pattern: RegExp, rows: number): boolean => {
      pattern.lastIndex = at;
      if (count + rows > most || !pattern.test(text)) return false;
      at = pattern.lastIndex;
      count += rows;
      return true;
    };
    /** Of many that do not match together most may, and are not to be looked through again for each. */
    const skipFew = (): boolean => {
      for (let row = 0; row < MANY; row += 1) if (!skip(ONE_ROW, 1)) return false;
      return true;
    };
    if (before >= LEARN_AFTER && !isLearned && skip(ONE_ROW, 1)) {
      isLearned = true;
      many = patternLike(text.slice(from, at), MANY) ?? many;
    }
    for (;;) {
      if (skip(many, MANY)) continue;
      if (many !== MANY_ROWS && skip(MANY_ROWS, MANY))
        many = MANY_ROWS; // They are not all alike.
      else if (!skipFew()) break;
    }
    return { at, count };
  };
}
