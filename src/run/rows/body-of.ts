import type { ReplyBody } from "../../model/exchange.ts";
import { isJsonObject, type Json, ownValue } from "../../model/json.ts";
import { parseLossless } from "../exchange/parse-lossless.ts";
import { holdsReplaced, type IsFree } from "../exchange/read-body.ts";
import type { RowsWanted } from "./rows-wanted.ts";
import type { ScannedList } from "./scan-list.ts";

/** The body that was looked through, with what is kept of its rows in their place. Undefined where what stands beside them is no JSON. */
export function bodyOf(
  { frame, rows, free, replaced, count, isWhole }: ScannedList,
  path: RowsWanted["path"],
  window: RowsWanted["window"],
  isFree: IsFree,
): Extract<ReplyBody, { kind: "json" }> | undefined {
  const beside = decoder.decode(frame);
  const value = parseFrame(beside);
  if (value === undefined) return undefined;
  const placed = placeRows(value, path, rows);
  const isReplaced = replaced || holdsReplaced(beside, frame) ? ({ replaced: true } as const) : {};
  if (placed === undefined) return { kind: "json", value, ...isReplaced };
  const part = window === undefined ? {} : { part: { from: window.from, count, stopped: !isWhole } };
  return { kind: "json", value: placed, ...part, ...(free && isFree(beside) && { free }), ...isReplaced };
}

const decoder = new TextDecoder();

function parseFrame(frame: string): Json | undefined {
  try {
    return parseLossless(frame);
  } catch {
    return undefined;
  }
}

/** The value with the rows in its list; undefined where there is none. A list that stands there is the last that was looked through. */
function placeRows(value: Json, path: RowsWanted["path"], rows: readonly Json[]): Json | undefined {
  const [name, ...below] = path;
  if (name === undefined) return Array.isArray(value) ? rows : undefined;
  const inner = isJsonObject(value) ? ownValue(value, name) : undefined;
  const placed = inner === undefined ? undefined : placeRows(inner, below, rows);
  return placed === undefined ? undefined : Object.fromEntries([...Object.entries(value!), [name, placed]]);
}
