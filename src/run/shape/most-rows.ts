import type { Column } from "./list-columns.ts";

/** What the facts of a reply may take of a budget that is too small for them. */
const FACTS = 2_000;

/** No reply of this budget can show more rows than these: a row has at least the names of its columns, and for each one a digit. */
export function mostRows(budget: number, columns: readonly Column[] | undefined, tokenBytes: number): number {
  const names = columns?.map(({ name }) => Buffer.byteLength(JSON.stringify(name)) + 3) ?? [];
  const least = 1 + names.reduce((sum, bytes) => sum + bytes, 0);
  return Math.ceil(Math.max(budget, FACTS + tokenBytes) / least) + 1;
}
