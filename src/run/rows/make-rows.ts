import type { Json } from "../../model/json.ts";
import { parseLossless } from "../exchange/parse-lossless.ts";
import { holdsReplaced, type IsFree } from "../exchange/read-body.ts";
import type { RowWindow } from "./rows-wanted.ts";

/** Makes rows of the lists that they stand in, as JSON texts. */
export interface RowMaker {
  /** In their order. */
  add(list: Uint8Array): void;
  made(): MadeRows;
}

export interface MadeRows {
  readonly rows: readonly Json[];
  /** Their text was found to hold no secret. */
  readonly free: boolean;
  /** Bytes of it were no UTF-8. */
  readonly replaced: boolean;
}

/** In bytes. Rows that are made while the rest of the body comes are in the way of every collection of garbage until then. */
const MOST_UNMADE = 262_144;

/** No rows are made behind those that fill the room of the window: the last one of these is not shown any more, and tells that there are more. */
export function openMaker({ room, isExpected }: MakingWindow, isFree: IsFree): RowMaker {
  const rows: Json[] = [];
  let unmade: Uint8Array[] = [];
  let unmadeBytes = 0;
  let [free, replaced] = [true, false];
  /** What rows take at least, without the last one; where one is expected, it stands before those that are shown. */
  let [taken, last, before] = [0, 0, isExpected === undefined ? 0 : 1];
  const isFull = () => room !== undefined && free && taken > room.bytes;
  const push = (row: Json): void => {
    rows.push(row);
    if (room === undefined || rows.length <= before) return;
    taken += last;
    last = room.leastOf(row);
  };
  const makeAll = (): void => {
    for (const list of unmade) {
      if (isFull()) break;
      const text = decoder.decode(list);
      free &&= isFree(text);
      replaced ||= holdsReplaced(text, list);
      for (const row of parseLossless(text) as readonly Json[]) push(row);
    }
    [unmade, unmadeBytes] = [[], 0];
  };
  return {
    add(list) {
      unmade.push(list);
      unmadeBytes += list.length;
      if (unmadeBytes > MOST_UNMADE) makeAll();
    },
    made() {
      makeAll();
      return { rows, free, replaced };
    },
  };
}

export type MakingWindow = Pick<RowWindow, "room" | "isExpected">;

const decoder = new TextDecoder();
