import type { Json } from "../../model/json.ts";
import { parseLossless } from "../exchange/parse-lossless.ts";
import { A_COMMA, joinSpans } from "./join-spans.ts";
import { keepMembers, type Spans } from "./keep-members.ts";
import { openNames } from "./open-names.ts";
import { LONGEST_TEXT, PATTERN_DEPTH } from "./row-pattern.ts";
import type { RowsWanted } from "./rows-wanted.ts";
import { scanValue } from "./scan-value.ts";
import { openSkip } from "./skip-rows.ts";

/** The rows of one list as they are looked through, one after the other. */
export interface RowKeeper {
  /** As `scanValue`, for the next row. */
  take(bytes: Uint8Array, from: number, most: number): number;
  /** Behind the commas of the next rows of which nothing is kept; `from` where there are none that can be passed over together. */
  skip(bytes: Uint8Array, from: number, most: number): number;
  /** Makes of the bytes what is kept of the rows that were taken from them; no others may be taken before. Throws SyntaxError. */
  settle(bytes: Uint8Array): void;
  /** What is kept. */
  readonly rows: readonly Json[];
  count(): number;
}

/** Where rows cannot be passed over so often one after another, it is not tried again. */
const MOST_MISSES = 8;

/** Keeps the rows of the window, all where there is none, and of these the members that are read. The others are checked and counted. */
export function keepRows({ reads }: Pick<RowsWanted, "reads">, window: RowsWanted["window"]): RowKeeper {
  const { from: first, to } = window ?? { from: 0, to: Number.POSITIVE_INFINITY };
  const keeps = reads && openNames(reads);
  const rows: Json[] = [];
  let count = 0;
  let spans: Spans = [];
  let misses = 0;
  const latin = openLatin();
  const skipRows = openSkip();
  return {
    take(bytes, from, most) {
      const isKept = count >= first && count < to;
      const before = spans.length;
      if (isKept && before > 0) spans.push(A_COMMA, A_COMMA);
      const end = isKept && keeps ? keepMembers(bytes, from, most, keeps, spans) : scanValue(bytes, from, most);
      if (end < 0) spans.length = before;
      else count += 1;
      if (end >= 0 && isKept && !keeps) spans.push(from, end);
      return end;
    },
    skip(bytes, from, most) {
      const unkept = count < first ? first - count : count < to ? 0 : Number.POSITIVE_INFINITY;
      if (unkept === 0 || misses === MOST_MISSES || most < PATTERN_DEPTH || bytes.length > LONGEST_TEXT) return from;
      const skipped = skipRows(latin(bytes), from, unkept, count);
      misses = skipped.count === 0 ? misses + 1 : 0;
      count += skipped.count;
      return skipped.at;
    },
    settle(bytes) {
      if (spans.length === 0) return;
      const made = parseLossless(decoder.decode(joinSpans(bytes, spans))) as readonly Json[];
      for (const row of made) rows.push(row);
      spans = [];
    },
    rows,
    count: () => count,
  };
}

const decoder = new TextDecoder();

/** Bytes as Latin-1, made once of the same. */
function openLatin(): (bytes: Uint8Array) => string {
  let known: { readonly bytes: Uint8Array; readonly text: string } | undefined;
  return (bytes) => {
    if (known?.bytes !== bytes)
      known = { bytes, text: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1") };
    return known.text;
  };
}
