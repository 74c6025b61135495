import type { Entry } from "./entry.ts";
import type { Omission } from "./omit.ts";

/** The sums of these groups that are null because some of their rows have no number: one entry a column. */
export function tellBadSums(groups: readonly Entry[]): Omission[] {
  if (!groups.some(({ bad }) => bad !== undefined)) return [];
  const columns = new Set(groups.flatMap(({ bad }) => [...(bad?.keys() ?? [])]));
  return [...columns].map((path) => {
    const hit = groups.filter(({ bad }) => bad?.has(path));
    const bad = hit.reduce((sum, one) => sum + (one.bad?.get(path) ?? 0), 0);
    const rows = hit.reduce((sum, { size = 0 }) => sum + size, 0);
    const kept = `no sum in ${hit.length} of ${groups.length} groups: ${bad} of their ${rows} rows have no number (BAD_ROWS)`;
    return { what: "value", path, kept };
  });
}
