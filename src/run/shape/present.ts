import { type Json, type JsonObject, ownValue } from "../../model/json.ts";
import { clipText } from "./clip.ts";
import type { Column } from "./list-columns.ts";
import type { Omission } from "./omit.ts";
import { roundCell } from "./round.ts";

export interface Presented {
  readonly row: JsonObject;
  readonly omitted: readonly Omission[];
}

/** A projected row as the caller sees it: texts clipped, numbers rounded; once, after all that is computed from it. */
export function presentRow(row: JsonObject, columns: readonly Column[]): Presented {
  const omitted: Omission[] = [];
  const cells = columns.map((column): readonly [string, Json] => {
    const cell = ownValue(row, column.name) ?? null;
    if (column.kind === "own") return [column.name, cell];
    if (typeof cell === "string" && column.clip !== undefined) {
      const clipped = clipText(cell, column.clip);
      if (clipped !== cell) omitted.push({ what: "text", path: column.name, kept: describeClip(column.clip) });
      return [column.name, clipped];
    }
    return [column.name, column.round === undefined ? cell : roundCell(cell, column.round)];
  });
  return { row: Object.fromEntries(cells), omitted };
}

function describeClip(clip: number | "first-sentence"): string {
  return clip === "first-sentence" ? "first sentence" : `${clip} characters`;
}
