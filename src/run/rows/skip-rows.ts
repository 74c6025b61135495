import { patternOfRows, patternsLike, type RowPatterns } from "./row-pattern.ts";

export interface Skipped {
  /** Where the rest begins: behind the comma of the last row. */
  readonly at: number;
  readonly count: number;
}

export interface RowSkip {
  /**
   * As many rows as there are whole ones with a comma behind them, but no more than `most`; `before` is how many came before. `text` is bytes as
   * Latin-1.
   */
  skip(text: string, from: number, most: number, before: number): Skipped;
  /** The same, of rows that are written as the one that was learned: none before one was. */
  skipAlike(text: string, from: number, most: number): Skipped;
  /** How rows are written is learned from this one, which has a comma behind it. */
  learn(row: string): void;
}

/** Looked at together. */
const MANY = 16;
const ANY: RowPatterns = { one: patternOfRows(1), many: patternOfRows(MANY) };
/** Of so many rows it is worth it to learn how they are written. */
const LEARN_AFTER = 100;

/** For the rows of one list that are checked and counted, one by one no more. A row that a pattern does not match is left to `scanValue`. */
export function openSkip(): RowSkip {
  let learned: RowPatterns | undefined;
  let isLearned = false;
  /** Whether the rows are all written as the one that was learned. */
  let areAlike = false;
  const learn = (row: string): void => {
    if (isLearned) return;
    isLearned = true;
    learned = isRow(row) ? patternsLike(row, MANY) : undefined;
    areAlike = learned !== undefined;
  };
  return {
    learn,
    skip(text, from, most, before) {
      const walk = walkRows(text, from, most);
      if (before >= LEARN_AFTER && !isLearned && walk.pass(ANY.one, 1)) learn(text.slice(from, walk.at()));
      for (;;) {
        if (areAlike && learned !== undefined && walk.pass(learned.many, MANY)) continue;
        if (walk.pass(ANY.many, MANY)) areAlike = false;
        else if (!walk.passFew(ANY.one)) break;
      }
      return { at: walk.at(), count: walk.count() };
    },
    skipAlike(text, from, most) {
      if (learned === undefined) return { at: from, count: 0 };
      const walk = walkRows(text, from, most);
      while (walk.pass(learned.many, MANY) || walk.passFew(learned.one));
      return { at: walk.at(), count: walk.count() };
    },
  };
}

function isRow(row: string): boolean {
  ANY.one.lastIndex = 0;
  return ANY.one.test(row) && ANY.one.lastIndex === row.length;
}

function walkRows(text: string, from: number, most: number) {
  let [at, count] = [from, 0];
  const pass = (pattern: RegExp, rows: number): boolean => {
    pattern.lastIndex = at;
    if (count + rows > most || !pattern.test(text)) return false;
    at = pattern.lastIndex;
    count += rows;
    return true;
  };
  return {
    at: () => at,
    count: () => count,
    pass,
    /** Of many that do not match together most may, and are not to be looked through again for each. */
    passFew(one: RegExp): boolean {
      for (let row = 0; row < MANY; row += 1) if (!pass(one, 1)) return false;
      return true;
    },
  };
}
