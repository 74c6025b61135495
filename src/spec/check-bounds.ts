import { UnreadableInput } from "../model/errors.ts";

/** Deepest nesting of a document that is read; deeper ones are refused, so that every later walk may recurse. */
export const MAX_DEPTH = 500;
const MAX_EXPANDED_NODES = 20_000_000;

/** Whether JSON text opens more than `MAX_DEPTH` brackets at once; a scan of the text, as `JSON.parse` itself takes any depth. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) at = endOfString(text, at);
    else if (char === OPEN_BRACE || char === OPEN_BRACKET) {
      depth++;
      if (depth > MAX_DEPTH) return true;
    } else if (char === CLOSE_BRACE || char === CLOSE_BRACKET) depth--;
  }
  return false;
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before--;
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
}

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
