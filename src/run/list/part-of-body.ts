import type { RowPart } from "../../model/exchange.ts";
import { findIdentity, isOfId } from "./identify-row.ts";
import type { ListRead, PageToken } from "./list-read.ts";

type PartRead = Extract<ListRead, { kind: "part" }>;

/** What was read of a body that gives all rows at once, and of which only some were kept. */
type Kept = Pick<PartRead, "rows" | "body" | "unreachable">;

/**
 * The rows from the position on. The one before them is the one that was shown last; where it is not, and the body is too large to look for it, the row
 * that stands there now may be another, and coming twice is better than being missed.
 */
export function partOfBody(
  { rows, ...kept }: Kept,
  { from, count, stopped }: RowPart,
  token: Pick<PageToken, "position" | "anchor"> | undefined,
): PartRead {
  const at = token?.position.kind === "row" ? token.position.at : 0;
  const anchor = from < at ? (token?.anchor ?? "") : "";
  const drifted = anchor !== "" && isOfId(anchor) && findIdentity(rows.slice(0, 1), anchor, 0) === -1;
  const start = drifted ? at - 1 : at;
  const shown = rows.slice(start - from);
  const more = stopped || start + shown.length < count;
  return {
    kind: "part",
    ...kept,
    rows: shown,
    complete: token === undefined && !more && !kept.unreachable,
    more,
    after: (number) => ({ kind: "row", at: start + number }),
    ...(!stopped && { counted: { start, total: count } }),
    drifted,
  };
}
