import type { Way } from "./lay-out.ts";

const ROUNDS = 8;

/** Puts each node near the middle of those that it is linked with (Sugiyama's barycentres), forth and back. */
export function orderColumns(columns: string[][], ways: readonly Way[]): void {
  for (let round = 0; round < ROUNDS; round += 1) {
    const place = new Map(columns.flatMap((ids) => ids.map((id, at) => [id, at - ids.length / 2] as const)));
    const isForth = round % 2 === 0;
    for (const ids of isForth ? columns : columns.toReversed()) {
      const middles = new Map(ids.map((id) => [id, middleOf(id, ways, place, isForth)]));
      ids.sort((a, b) => (middles.get(a) ?? 0) - (middles.get(b) ?? 0));
      for (const [at, id] of ids.entries()) place.set(id, at - ids.length / 2);
    }
  }
}

function middleOf(id: string, ways: readonly Way[], place: ReadonlyMap<string, number>, isForth: boolean): number {
  const linked = ways.flatMap(({ from, to }) => {
    if (isForth) return to === id ? [from] : [];
    return from === id ? [to] : [];
  });
  if (linked.length === 0) return place.get(id) ?? 0;
  return linked.reduce((sum, other) => sum + (place.get(other) ?? 0), 0) / linked.length;
}
