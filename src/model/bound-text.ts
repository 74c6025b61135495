/** What a double makes of the largest int64 and uint64 is the number after it, which nobody means. */
const LARGEST: ReadonlyMap<number, string> = new Map([
  [2 ** 63, "9223372036854775807"],
  [2 ** 64, "18446744073709551615"],
]);

/** A bound in decimal digits, as the spec means it. */
export function boundText(bound: number): string {
  return LARGEST.get(bound) ?? String(bound);
}
