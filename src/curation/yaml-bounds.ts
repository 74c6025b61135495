// What a curation may be at most, so that reading it ends.
export const LARGEST_BYTES = 1_000_000;
/** Levels, aliases followed. */
export const DEEPEST = 48;
/** Values, what an alias stands for counted at each of them. */
export const MOST_NODES = 50_000;
