import type { IsFree } from "../exchange/read-body.ts";
import { A_COMMA, joinSpans } from "./join-spans.ts";
import { keepMembers, type Spans } from "./keep-members.ts";
import { type MadeRows, openMaker } from "./make-rows.ts";
import { openNames } from "./open-names.ts";
import { LONGEST_TEXT, PATTERN_DEPTH } from "./row-pattern.ts";
import type { RowsWanted, RowWindow } from "./rows-wanted.ts";
import { scanValue } from "./scan-value.ts";
import { openSkip } from "./skip-rows.ts";

/** The rows of one list as they are looked through, one after the other. */
export interface RowKeeper {
  /** As `scanValue`, for the next row. */
  take(bytes: Uint8Array, from: number, most: number): number;
  /** Behind the commas of the next rows that are kept as they are, or not at all; `from` where there are none that can be passed over together. */
  skip(bytes: Uint8Array, from: number, most: number): number;
  /** Takes out of the bytes what is kept of the rows that were taken from them; no others may be taken before. */
  settle(bytes: Uint8Array): void;
  kept(): MadeRows;
  count(): number;
}

/** Which rows are kept. */
export type KeptWindow = Pick<RowWindow, "from" | "to" | "room" | "isExpected">;

/** Where rows cannot be passed over so often one after another, it is not tried again. */
const MOST_MISSES = 8;
/** How so few rows are written need not be learned. */
const FEW = 16;
const COMMA_BYTES = 1;
/** In bytes: so many rows are made at a time where those behind them may not be needed. */
const MADE_AT_ONCE = 2_048;

/** Keeps the rows of the window, all where there is none, and of these the members that are read. The others are checked and counted. */
export function keepRows({ reads }: Pick<RowsWanted, "reads">, window: KeptWindow = ALL, isFree: IsFree): RowKeeper {
  const { from: first, to, room } = window;
  const keeps = reads && openNames(reads);
  // They are one span then, and made together.
  const atOnce = room === undefined ? Number.POSITIVE_INFINITY : FEW;
  const maker = openMaker(window, isFree);
  const rows = openSkip();
  const misses = { kept: 0, others: 0 };
  /** The first row that is kept was kept as it is. */
  let isAlike = false;
  let count = 0;
  let spans: Spans = [];
  let latin = openLatin();
  const isKept = () => count >= first && count < to;
  const beginSpan = (): void => {
    if (spans.length > 0) spans.push(A_COMMA, A_COMMA);
  };
  return {
    take(bytes, from, most) {
      if (!isKept()) {
        const end = scanValue(bytes, from, most);
        if (end >= 0) count += 1;
        return end;
      }
      const before = spans.length;
      beginSpan();
      const end = keeps ? keepMembers(bytes, from, most, keeps, spans) : scanValue(bytes, from, most);
      if (end < 0) spans.length = before;
      if (end < 0) return end;
      if (!keeps) spans.push(from, end);
      const isWhole = spans.at(-2) === from;
      if (count === first && isWhole && to - first > FEW) {
        isAlike = true;
        rows.learn(`${latin(bytes).slice(from, end)},`);
      }
      count += 1;
      return end;
    },
    skip(bytes, from, most) {
      const kind = isKept() ? "kept" : "others";
      if (kind === "kept" && !isAlike) return from;
      if (misses[kind] === MOST_MISSES || most < PATTERN_DEPTH || bytes.length > LONGEST_TEXT) return from;
      const text = latin(bytes);
      const skipped =
        kind === "kept"
          ? rows.skipAlike(text, from, Math.min(to - count, atOnce))
          : rows.skip(text, from, count < first ? first - count : Number.POSITIVE_INFINITY, count);
      misses[kind] = skipped.count === 0 ? misses[kind] + 1 : 0;
      if (kind === "kept" && skipped.count > 0) {
        beginSpan();
        spans.push(from, skipped.at - COMMA_BYTES);
      }
      count += skipped.count;
      return skipped.at;
    },
    settle(bytes) {
      // Until more comes, its text would only be in the way.
      latin = openLatin();
      if (spans.length === 0) return;
      for (const list of joinSpans(bytes, spans, room && MADE_AT_ONCE)) maker.add(list);
      spans = [];
    },
    kept: () => maker.made(),
    count: () => count,
  };
}

const ALL: KeptWindow = { from: 0, to: Number.POSITIVE_INFINITY };

/** Bytes as Latin-1, made once of the same. */
function openLatin(): (bytes: Uint8Array) => string {
  let known: { readonly bytes: Uint8Array; readonly text: string } | undefined;
  return (bytes) => {
    if (known?.bytes !== bytes)
      known = { bytes, text: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1") };
    return known.text;
  };
}
