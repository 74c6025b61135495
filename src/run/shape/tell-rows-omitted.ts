import type { TotalRead } from "../totals/total-read.ts";
import type { Arranged } from "./arrange-rows.ts";
import type { Shaped } from "./shaped.ts";
import type { ListShape } from "./write-note.ts";

/**
 * Adds how many matching rows are known of and not in the reply: of those that were read, or that the upstream counts. Rows that were shown on a
 * page before are among them, for each reply counts for itself.
 */
export function tellRowsOmitted(
  shaped: Shaped,
  { count, searched }: Pick<Arranged, "count" | "searched">,
  total: TotalRead | undefined,
  { group }: Pick<ListShape, "group">,
): Shaped {
  // The upstream counts what it has: neither what a search of ours left, nor our groups.
  const isOurs = searched !== "" || group !== undefined;
  const stated = total?.kind === "count" && !isOurs ? total.count : 0;
  const rowsOmitted = Math.max(count, stated) - Number(shaped.structured["rowCount"] ?? 0);
  return rowsOmitted > 0 ? { ...shaped, rowsOmitted } : shaped;
}
