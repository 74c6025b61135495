import { isJsonObject, type Json, ownValue } from "../../model/json.ts";
import { canonicalJson } from "../canonical-json.ts";
import { findOwnIdName } from "../list/identify-row.ts";
import { statedCounts } from "../shape/find-further.ts";
import type { PageRead } from "./open-pages.ts";

type Page = Pick<PageRead, "rows" | "count" | "body">;

/**
 * Whether rows moved while these pages of one list were read: one of them came again on a later page, or the upstream's own count of them changed.
 * Rows without an ID of their own say nothing.
 */
export function haveRowsMoved(pages: readonly Page[]): boolean {
  return pages.length > 1 && (comesAgain(pages) || countChanged(pages));
}

/** An ID that rows with other values share tells no rows apart. */
function comesAgain(pages: readonly Page[]): boolean {
  const name = findOwnIdName(pages[0]?.rows ?? []);
  if (name === undefined) return false;
  const seen = new Map<Json, Json>();
  let isAgain = false;
  for (const { rows } of pages) {
    if (rows.length > 0 && findOwnIdName(rows) !== name) return false;
    for (const row of rows) {
      const id = (isJsonObject(row) ? ownValue(row, name) : undefined) ?? null;
      const before = seen.get(id);
      if (before !== undefined && canonicalJson(before) !== canonicalJson(row)) return false;
      isAgain ||= before !== undefined;
      seen.set(id, row);
    }
  }
  return isAgain;
}

/** A count that is met at the end was another one at the beginning: of numbers that say something else, none is met but by chance. */
function countChanged(pages: readonly Page[]): boolean {
  const came = pages.reduce((sum, { rows, count = rows.length }) => sum + count, 0);
  const first = statedCounts(pages[0]?.body ?? null);
  const last = statedCounts(pages.at(-1)?.body ?? null);
  return last.some((count, at) => count === came && first[at] !== undefined && first[at] !== count);
}
