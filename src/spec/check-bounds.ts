import { UnreadableInput } from "../model/errors.ts";

/** Deepest nesting of a document that is read; deeper ones are refused, so that every later walk may recurse. */
export const MAX_DEPTH = 500;
const MAX_EXPANDED_NODES = 20_000_000;

interface Measure {
  depth: number;
  /** Nodes that a walk which does not notice shared ones would visit. */
  nodes: number;
}
interface Visit {
  readonly node: object;
  readonly children: readonly unknown[];
  next: number;
  readonly measure: Measure;
}

/** Refuses parsed YAML whose aliases make a loop, nest too deep, or expand to a size that no walk could finish. Each node is seen once. */
export function checkBounds(source: string, root: unknown): void {
  if (typeof root !== "object" || root === null) return;
  const measures = new Map<object, Measure>();
  const open = new Set<object>([root]);
  const path = [visit(root)];
  for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
    const child = top.children[top.next++];
    if (top.next > top.children.length) {
      path.pop();
      open.delete(top.node);
      measures.set(top.node, top.measure);
      const parent = path.at(-1);
      if (parent !== undefined) add(parent.measure, top.measure);
    } else if (typeof child === "object" && child !== null) {
      if (open.has(child)) throw new UnreadableInput(`${source}: an alias stands inside of what it stands for.`);
      const known = measures.get(child);
      if (known === undefined) {
        open.add(child);
        path.push(visit(child));
      } else add(top.measure, known);
    }
    if (top.measure.depth > MAX_DEPTH)
      throw new UnreadableInput(`${source}: it is nested deeper than ${MAX_DEPTH} levels.`);
    if (top.measure.nodes > MAX_EXPANDED_NODES) {
      throw new UnreadableInput(`${source}: its aliases expand to more than ${MAX_EXPANDED_NODES} values.`);
    }
  }
}

function visit(node: object): Visit {
  const children = Object.values(node);
  return { node, children, next: 0, measure: { depth: 1, nodes: 1 + children.length } };
}

function add(parent: Measure, child: Measure): void {
  parent.depth = Math.max(parent.depth, child.depth + 1);
  parent.nodes += child.nodes;
}
