import type { PageChain, PageLink } from "../../page-data.ts";
import { orderColumns } from "./order-columns.ts";

export interface PlacedNode {
  readonly node: PageChain["nodes"][number];
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly nodes: ReadonlyMap<string, PlacedNode>;
  /** The gaps through which a link over several columns goes, left and right end of each. */
  via(from: string, to: string): readonly Point[];
}

export const NODE_HEIGHT = 34;
const ROW = 56;
const GAP = 110;
const MARGIN = 16;
/** Of a monospaced letter at the size of the labels. */
const LETTER = 7.3;

/** Columns from what gives to what takes: each node as far right as the longest way to it, in an order that keeps links short. */
export function layOut({ nodes, links }: PageChain): Layout {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const ways = withoutCycles(links);
  const columns = toColumns([...byId.keys()], ways);
  const steps = throughColumns(columns, ways);
  orderColumns(columns, steps);
  const tallest = Math.max(...columns.map((ids) => ids.length));
  const placed = new Map<string, PlacedNode>();
  const gaps = new Map<string, readonly Point[]>();
  let x = MARGIN;
  for (const ids of columns) {
    const names = ids.filter((id) => byId.has(id));
    const width = Math.max(...names.map((id) => id.length)) * LETTER + 24;
    const top = MARGIN + ((tallest - ids.length) * ROW) / 2;
    for (const [row, id] of ids.entries()) {
      const [node, y] = [byId.get(id), top + row * ROW];
      if (node !== undefined) placed.set(id, { node, x, y, width });
      else
        gaps.set(
          id,
          [x, x + width].map((end) => ({ x: end, y: y + NODE_HEIGHT / 2 })),
        );
    }
    x += width + GAP;
  }
  return {
    width: x - GAP + MARGIN,
    height: tallest * ROW + MARGIN,
    nodes: placed,
    via: (from, to) => columns.flatMap((_, at) => gaps.get(gapId({ from, to }, at)) ?? []),
  };
}

export interface Way {
  readonly from: string;
  readonly to: string;
}

const WEIGHT: readonly PageLink["kind"][] = ["identifier", "values", "next", "suggests"];

/** The links, those of identifiers first, without those that would lead back. */
function withoutCycles(links: readonly PageLink[]): readonly Way[] {
  const after = new Map<string, Set<string>>();
  const leads = (from: string, to: string, seen = new Set<string>()): boolean => {
    if (from === to) return true;
    if (seen.has(from)) return false;
    seen.add(from);
    return [...(after.get(from) ?? [])].some((next) => leads(next, to, seen));
  };
  return links
    .toSorted((a, b) => WEIGHT.indexOf(a.kind) - WEIGHT.indexOf(b.kind))
    .filter(({ from, to }) => {
      const known = after.get(from) ?? new Set();
      if (known.has(to) || leads(to, from)) return false;
      after.set(from, known.add(to));
      return true;
    });
}

function toColumns(ids: readonly string[], ways: readonly Way[]): string[][] {
  const column = new Map(ids.map((id) => [id, 0]));
  for (let again = true; again; ) {
    again = false;
    for (const { from, to } of ways) {
      const least = (column.get(from) ?? 0) + 1;
      if ((column.get(to) ?? 0) >= least) continue;
      column.set(to, least);
      again = true;
    }
  }
  const count = Math.max(...column.values()) + 1;
  return Array.from({ length: count }, (_, at) => ids.filter((id) => column.get(id) === at));
}

const gapId = ({ from, to }: Way, column: number): string => JSON.stringify([from, to, column]);

/** Holds a gap open in each column that a way passes, and gives the ways from column to column. */
function throughColumns(columns: string[][], ways: readonly Way[]): readonly Way[] {
  const columnOf = new Map(columns.flatMap((ids, at) => ids.map((id) => [id, at] as const)));
  return ways.flatMap((way) => {
    const [start, end] = [columnOf.get(way.from) ?? 0, columnOf.get(way.to) ?? 0];
    const stops = [way.from];
    for (let at = start + 1; at < end; at += 1) {
      columns[at]?.push(gapId(way, at));
      stops.push(gapId(way, at));
    }
    stops.push(way.to);
    return stops.slice(1).map((to, at) => ({ from: stops[at] ?? "", to }));
  });
}
