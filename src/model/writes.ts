/** How often something was written to an upstream, as far as is known here: what it said before may be otherwise now. */
export interface Writes {
  count(): number;
  /** Something was written just now. */
  add(): void;
}

/** Of those who know of no others. */
export function countWrites(): Writes {
  let count = 0;
  return {
    count: () => count,
    add: () => {
      count += 1;
    },
  };
}
