import { onceFor } from "../../model/once-for.ts";
import type { Expression } from "../../model/value.ts";
import { type Node, parseExpression } from "./parse-expression.ts";

/** Names from the current node, or behind `$` from the roots. */
export type Path = readonly string[];

/** A sum or a mean that an expression makes. */
export interface ListSum {
  /** The smallest part of the result that is made of it: an entry of an object or a list, or all. */
  readonly cell: Node;
  /** Where what is added up comes from. */
  readonly lists: readonly Path[];
}

const SUMS = new Set(["sum", "avg"]);

/** The sums and means over lists that are not a single element's own. */
export const listSums = onceFor((expression: Expression): readonly ListSum[] => {
  if (!/\b(sum|avg)\s*\(/.test(expression.jmespath)) return [];
  const { node } = parseExpression(expression);
  return sumsIn(node, node, { current: [[]], variables: new Map() });
});

/** Where in an expression the lists are that it reads. */
export const listPaths = onceFor((expression: Expression): readonly Path[] =>
  pathsOf(parseExpression(expression).node, { current: [[]], variables: new Map() }),
);

interface Standing {
  /** What the current node may be. */
  readonly current: readonly Path[];
  readonly variables: ReadonlyMap<string, readonly Path[]>;
}

function sumsIn(node: Node, cell: Node, standing: Standing): readonly ListSum[] {
  const inside = (current: readonly Path[]): Standing => ({ ...standing, current });
  switch (node.type) {
    case "Function": {
      const own = SUMS.has(node.name) ? [{ cell, lists: node.children.flatMap((one) => pathsOf(one, standing)) }] : [];
      return [...own, ...node.children.flatMap((child) => sumsIn(child, cell, standing))];
    }
    case "Subexpression":
    case "IndexExpression":
    case "Pipe":
      return [...sumsIn(node.left, cell, standing), ...sumsIn(node.right, cell, inside(pathsOf(node.left, standing)))];
    case "Projection":
    case "ValueProjection":
    case "FilterProjection":
      // An element's own list is whole, however many elements there are.
      return [...sumsIn(node.left, cell, standing), ...sumsIn(node.right, cell, inside([]))];
    case "MultiSelectHash":
      return node.children.flatMap(({ value }) => sumsIn(value, value, standing));
    case "MultiSelectList":
      return node.children.flatMap((child) => sumsIn(child, child, standing));
    case "LetExpression": {
      const bound = node.bindings.map(({ variable, reference }) => [variable, pathsOf(reference, standing)] as const);
      const within = { ...standing, variables: new Map([...standing.variables, ...bound]) };
      const own = node.bindings.flatMap(({ reference }) => sumsIn(reference, cell, standing));
      return [...own, ...sumsIn(node.expression, cell, within)];
    }
    default:
      return childrenOf(node).flatMap((child) => sumsIn(child, cell, standing));
  }
}

function pathsOf(node: Node, standing: Standing): readonly Path[] {
  switch (node.type) {
    case "Current":
    case "Identity":
      return standing.current;
    case "Root":
      return [["$"]];
    case "Field":
      return standing.current.map((path) => [...path, node.name]);
    case "Variable":
      return standing.variables.get(node.name) ?? [];
    case "Subexpression":
    case "Pipe":
      return pathsOf(node.right, { ...standing, current: pathsOf(node.left, standing) });
    case "IndexExpression":
    case "Projection":
    case "ValueProjection":
    case "FilterProjection":
      return pathsOf(node.left, standing);
    case "ExpressionReference":
    case "Literal":
      return [];
    case "LetExpression":
      return pathsOf(node.expression, standing);
    default:
      return childrenOf(node).flatMap((child) => pathsOf(child, standing));
  }
}

function childrenOf(node: Node): readonly Node[] {
  switch (node.type) {
    case "Flatten":
    case "NotExpression":
    case "ExpressionReference":
      return [node.child];
    case "Unary":
      return [node.operand];
    case "Comparator":
    case "Arithmetic":
    case "OrExpression":
    case "AndExpression":
      return [node.left, node.right];
    case "Ternary":
      return [node.condition, node.trueExpr, node.falseExpr];
    case "MultiSelectList":
    case "Function":
      return node.children;
    case "MultiSelectHash":
      return node.children.map(({ value }) => value);
    default:
      return [];
  }
}
