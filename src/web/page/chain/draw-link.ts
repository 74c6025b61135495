import { NODE_HEIGHT, type PlacedNode, type Point } from "./lay-out.ts";

export interface Drawn {
  /** Of an SVG path. */
  readonly d: string;
  /** Where its label stands. */
  readonly label: Point;
}

/** A curve from one node to another, through the gaps between. `lane` keeps several of them apart, in pixels. */
export function drawLink(from: PlacedNode, to: PlacedNode, via: readonly Point[], lane: number): Drawn {
  const start = { x: from.x + from.width, y: from.y + NODE_HEIGHT / 2 + lane };
  if (to.x <= from.x) return drawBack(start, to, lane);
  const end = { x: to.x, y: to.y + NODE_HEIGHT / 2 + lane };
  const stops = [start, ...via.map(({ x, y }) => ({ x, y: y + lane })), end];
  const parts = stops.slice(1).map((stop, at) => curve(stops[at] ?? start, stop));
  const second = stops[1] ?? end;
  return {
    d: `M${start.x} ${start.y}${parts.join("")}`,
    label: { x: (start.x + second.x) / 2, y: (start.y + second.y) / 2 },
  };
}

function curve(from: Point, to: Point): string {
  const bend = (to.x - from.x) / 2;
  return `C${from.x + bend} ${from.y} ${to.x - bend} ${to.y} ${to.x} ${to.y}`;
}

/** Back, or within a column: out on the right, and in on the right. */
function drawBack(start: Point, to: PlacedNode, lane: number): Drawn {
  const end = { x: to.x + to.width, y: to.y + NODE_HEIGHT / 2 + lane };
  const bend = Math.max(start.x, end.x) + 50 + Math.abs(lane);
  return {
    d: `M${start.x} ${start.y}C${bend} ${start.y} ${bend} ${end.y} ${end.x} ${end.y}`,
    label: { x: bend - 20, y: (start.y + end.y) / 2 },
  };
}
