/** Whether two JSON values are the same; the order of keys does not count, nor a key without a value. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [told(a), told(b)];
  return (
    left.size === right.size && [...left].every(([key, value]) => right.has(key) && sameValue(value, right.get(key)))
  );
}

/** Whether two lists hold the same, in whatever order. */
export function sameMembers(a: readonly string[] = [], b: readonly string[] = []): boolean {
  return membersLost(a, b).length === 0 && membersLost(b, a).length === 0;
}

/** What the first list holds and the second does not. */
export function membersLost(a: readonly string[] = [], b: readonly string[] = []): string[] {
  const kept = new Set(b);
  return a.filter((one) => !kept.has(one));
}

function told(value: object): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(value).filter(([, inside]) => inside !== undefined));
}
