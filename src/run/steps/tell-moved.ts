import type { Omission } from "../shape/omit.ts";

const MOVED = "they moved while the pages were read (SNAPSHOT_DRIFT), so some may be missing or come twice";

/** Of a step's rows, all of which came. */
export function tellMoved(path: string, count: number): Omission {
  return { what: "rows", path, kept: `${count}: ${MOVED}` };
}

export function isMoved({ kept }: Omission): boolean {
  return kept.endsWith(MOVED);
}
