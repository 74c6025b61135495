import type { Json } from "../../model/json.ts";
import { parseLossless } from "../exchange/parse-lossless.ts";
import type { IsFree } from "../exchange/read-body.ts";
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
  /** Takes out of the bytes what is kept of the rows that were taken from them; no others may be taken before. */
  settle(bytes: Uint8Array): void;
  kept(): KeptRows;
  count(): number;
}

export interface KeptRows {
  readonly rows: readonly Json[];
  /** Their text was found to hold no secret. */
  readonly free: boolean;
}

/** Where rows cannot be passed over so often one after another, it is not tried again. */
const MOST_MISSES = 8;
/** In bytes. Rows that are made while the rest of the body comes are in the way of every collection of garbage until then. */
const MOST_UNMADE = 262_144;

/** Keeps the rows of the window, all where there is none, and of these the members that are read. The others are checked and counted. */
export function keepRows(
  { reads }: Pick<RowsWanted, "reads">,
  window: RowsWanted["window"],
  isFree: IsFree,
): RowKeeper {
  const { from: first, to } = window ?? { from: 0, to: Number.POSITIVE_INFINITY };
  const keeps = reads && openNames(reads);
  const rows: Json[] = [];
  let count = 0;
  let spans: Spans = [];
  let unmade: Uint8Array[] = [];
  let unmadeBytes = 0;
  let free = true;
  let misses = 0;
  let latin = openLatin();
  const skipRows = openSkip();
  const makeRows = (): void => {
    for (const list of unmade) {
      const text = decoder.decode(list);
      free &&= isFree(text);
      for (const row of parseLossless(text) as readonly Json[]) rows.push(row);
    }
    [unmade, unmadeBytes] = [[], 0];
  };
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
      // Until more comes, its text would only be in the way.
      latin = openLatin();
      if (spans.length === 0) return;
      const list = joinSpans(bytes, spans);
      spans = [];
      unmade.push(list);
      unmadeBytes += list.length;
      if (unmadeBytes > MOST_UNMADE) makeRows();
    },
    kept() {
      makeRows();
      return { rows, free };
    },
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
