/** How much of what two lists hold is held by both, from 0 to 1. */
export function sharedPart(one: Iterable<string>, other: Iterable<string>): number {
  const [a, b] = [new Set(one), new Set(other)];
  const both = [...a].filter((name) => b.has(name)).length;
  const all = a.size + b.size - both;
  return all === 0 ? 0 : both / all;
}
