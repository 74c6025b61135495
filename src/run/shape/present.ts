import { type Json, type JsonObject, ownValue } from "../../model/json.ts";
import { clipText } from "./clip.ts";
import type { Column } from "./list-columns.ts";
import type { Omission } from "./omit.ts";
import { roundCell } from "./round.ts";
import { type RowMade, setOwn } from "./set-own.ts";

export interface Presented {
  readonly row: JsonObject;
  readonly omitted: readonly Omission[];
}

/** A projected row as the caller sees it: texts clipped, numbers rounded; once, after all that is computed from it. */
export function presentRow(row: JsonObject, columns: readonly Column[]): Presented {
  // Most rows are shown as they were projected.
  if (columns.every(isPlain)) return { row, omitted: [] };
  const omitted: Omission[] = [];
  const shown: RowMade = {};
  for (const column of columns) {
    const cell = ownValue(row, column.name) ?? null;
    const presented = presentCell(cell, column);
    if (typeof cell === "string" && presented !== cell && column.kind === "column" && column.clip !== undefined)
      omitted.push({ what: "text", path: column.name, kept: describeClip(column.clip) });
    setOwn(shown, column.name, presented);
  }
  return { row: shown, omitted };
}

/** Whether its cells are shown as they were projected. */
export function isPlain(column: Column): boolean {
  return column.kind === "own" || (column.clip === undefined && column.round === undefined);
}

function presentCell(cell: Json, column: Column): Json {
  if (column.kind === "own") return cell;
  if (typeof cell === "string" && column.clip !== undefined) return clipText(cell, column.clip);
  return column.round === undefined ? cell : roundCell(cell, column.round);
}

function describeClip(clip: number | "first-sentence"): string {
  return clip === "first-sentence" ? "first sentence" : `${clip} characters`;
}
