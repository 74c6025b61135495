import type { IsFree } from "../exchange/read-body.ts";
import { type KeptWindow, keepRows } from "./keep-rows.ts";
import type { MadeRows } from "./make-rows.ts";
import { openNames } from "./open-names.ts";
import type { RowsWanted } from "./rows-wanted.ts";
import {
  CLOSE_LIST,
  CLOSE_OBJECT,
  COMMA,
  INCOMPLETE,
  MALFORMED,
  MOST_DEPTH,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
  scanColon,
  scanString,
  scanValue,
  skipSpace,
} from "./scan-value.ts";

export interface ListScan {
  /**
   * Looks through the bytes as far as whole members and rows go. Gives where the rest begins, which must come again with more behind it, or `MALFORMED`
   * or `TOO_DEEP`.
   */
  feed(bytes: Uint8Array): number;
  /** Rows so far, of the list that came last. */
  count(): number;
  /** The body came to its end: but for whitespace nothing may follow. */
  isWhole(): boolean;
  /** Throws SyntaxError. */
  found(): ScannedList;
}

/** Of the list that came last, what is kept. */
export interface ScannedList extends MadeRows {
  /** All its rows so far. */
  readonly count: number;
  /** As that of the scan. */
  readonly isWhole: boolean;
  /** The body without the rows of its lists; what is still open is closed. */
  readonly frame: Uint8Array;
}

/** What comes next in the body. */
type Step = "value" | "name" | "name or end" | "comma or end" | "row" | "row or end" | "row comma or end" | "nothing";

/**
 * Looks through a JSON body, as it comes, for the list that the names lead to, and makes of its rows only what is wanted. Of a name that comes twice
 * the last one counts, as for `JSON.parse`.
 */
export function openScan({ path, ...wanted }: RowsWanted, window: KeptWindow | undefined, isFree: IsFree): ListScan {
  const names = path.map((name) => openNames((one) => one === name));
  const pieces: Uint8Array[] = [];
  let step: Step = "value";
  /** How many objects that lead to the list are open. */
  let level = 0;
  let keeper = keepRows(wanted, window, isFree);
  let frameFrom = 0;

  const goOn = (next: number, then: Step): number => {
    if (next >= 0) step = then;
    return next;
  };
  const afterValue = (): Step => (level === 0 ? "nothing" : "comma or end");
  const enter = (bytes: Uint8Array, from: number): number => {
    const at = skipSpace(bytes, from);
    if (at === bytes.length) return INCOMPLETE;
    if (level === path.length && bytes[at] === OPEN_LIST) {
      keeper = keepRows(wanted, window, isFree);
      pieces.push(bytes.slice(frameFrom, at + 1));
      return goOn(at + 1, "row or end");
    }
    if (level < path.length && bytes[at] === OPEN_OBJECT) {
      level += 1;
      return goOn(at + 1, "name or end");
    }
    return goOn(scanValue(bytes, at, MOST_DEPTH - level), afterValue());
  };
  const readName = (bytes: Uint8Array, at: number): number => {
    if (bytes[at] !== QUOTE) return MALFORMED;
    const named = scanString(bytes, at);
    const value = named < 0 ? named : scanColon(bytes, named);
    if (value < 0) return value;
    if (names[level - 1]!(bytes, at, named)) return enter(bytes, value);
    return goOn(scanValue(bytes, value, MOST_DEPTH - level), afterValue());
  };
  const closeObject = (at: number): number => {
    level -= 1;
    return goOn(at + 1, afterValue());
  };
  const closeList = (bytes: Uint8Array, at: number): number => {
    keeper.settle(bytes);
    frameFrom = at;
    return goOn(at + 1, afterValue());
  };
  const readRow = (bytes: Uint8Array, at: number): number =>
    goOn(keeper.take(bytes, at, MOST_DEPTH - level - 1), "row comma or end");
  const readRows = (bytes: Uint8Array, at: number): number => {
    const behind = keeper.skip(bytes, at, MOST_DEPTH - level - 1);
    return behind === at ? readRow(bytes, at) : behind;
  };
  /** From a byte that is no whitespace. */
  const take = (bytes: Uint8Array, at: number): number => {
    const byte = bytes[at];
    switch (step) {
      case "value":
        return enter(bytes, at);
      case "name":
        return readName(bytes, at);
      case "name or end":
        return byte === CLOSE_OBJECT ? closeObject(at) : readName(bytes, at);
      case "comma or end":
        if (byte === CLOSE_OBJECT) return closeObject(at);
        return byte === COMMA ? goOn(at + 1, "name") : MALFORMED;
      case "row":
        return readRows(bytes, at);
      case "row or end":
        return byte === CLOSE_LIST ? closeList(bytes, at) : readRow(bytes, at);
      case "row comma or end":
        if (byte === CLOSE_LIST) return closeList(bytes, at);
        return byte === COMMA ? goOn(at + 1, "row") : MALFORMED;
      case "nothing":
        return MALFORMED;
      default:
        return step satisfies never;
    }
  };
  return {
    feed(bytes) {
      let at = 0;
      frameFrom = 0;
      for (;;) {
        at = skipSpace(bytes, at);
        if (at === bytes.length) break;
        const next = take(bytes, at);
        if (next === INCOMPLETE) break;
        if (next < 0) return next;
        at = next;
      }
      if (isInList(step)) keeper.settle(bytes);
      else pieces.push(bytes.slice(frameFrom, at));
      return at;
    },
    count: () => keeper.count(),
    isWhole: () => step === "nothing",
    found: () => ({
      ...keeper.kept(),
      count: keeper.count(),
      isWhole: step === "nothing",
      frame: closeFrame(Buffer.concat(pieces), step, level),
    }),
  };
}

/** JSON again, wherever the bytes were left: a comma that no member follows is none. */
function closeFrame(frame: Buffer, step: Step, level: number): Uint8Array {
  const end = step === "name" ? frame.lastIndexOf(COMMA) : frame.length;
  return Buffer.concat([frame.subarray(0, end), Buffer.from((isInList(step) ? "]" : "") + "}".repeat(level))]);
}

function isInList(step: Step): boolean {
  return step === "row" || step === "row or end" || step === "row comma or end";
}
