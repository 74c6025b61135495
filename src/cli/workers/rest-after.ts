const FIRST_MS = 500;
const LONGEST_MS = 30_000;

/** How long a place stays empty after so many workers in a row that ended soon after their start: not at all after the first that lived. */
export function restAfter(quickEnds: number): number {
  return quickEnds === 0 ? 0 : Math.min(LONGEST_MS, FIRST_MS * 2 ** (quickEnds - 1));
}
