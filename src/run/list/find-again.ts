import type { Json } from "../../model/json.ts";
import { findIdentity, isOfId, type ReadsMember } from "./identify-row.ts";

/** Finds the row that was shown last among what is read now. */
export interface FindAgain {
  /** In the first page that is read: how many of its rows come before those to show. */
  from(rows: readonly Json[]): number;
  /** The same in a later page, where the row has moved there: what was read before it is not to be shown either. */
  later(rows: readonly Json[]): number | undefined;
  /** Whether it stood elsewhere, or nowhere. */
  moved(): boolean;
}

/**
 * `skip` rows of the first page were shown before, and the last of them had the identity `anchor`. Where it is gone the row in its place is taken for
 * one that was not shown: a row that comes twice does less harm than one that never comes. Of a row without an ID nothing tells that it is gone.
 */
export function findAgain(anchor: string | undefined, skip: number, reads?: ReadsMember): FindAgain {
  let moved = false;
  let pending: string | undefined;
  return {
    from(rows) {
      if (anchor === undefined || skip === 0) return Math.min(skip, rows.length);
      const at = findIdentity(rows, anchor, skip - 1, reads);
      if (at === skip - 1 || (at === -1 && !isOfId(anchor))) return Math.min(skip, rows.length);
      moved = true;
      if (at !== -1) return at + 1;
      pending = anchor;
      return Math.min(skip - 1, rows.length);
    },
    later(rows) {
      const at = pending === undefined ? -1 : findIdentity(rows, pending, -1, reads);
      if (at === -1) return undefined;
      pending = undefined;
      return at + 1;
    },
    moved: () => moved,
  };
}
