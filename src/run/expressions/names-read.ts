import type { Expression } from "../../model/value.ts";
import { type Node, parseExpression } from "./parse-expression.ts";

/** The members of the current node that an expression reads; undefined where it may read any of them. */
export function namesRead(expression: Expression): readonly string[] | undefined {
  return readBy(parseExpression(expression).node);
}

function readBy(node: Node): readonly string[] | undefined {
  switch (node.type) {
    case "Field":
      return [node.name];
    case "Literal":
    case "Root":
    // It is evaluated over elements of a list that was read.
    case "ExpressionReference":
      return [];
    // What stands right of these reads what the left has given.
    case "Subexpression":
    case "IndexExpression":
    case "Pipe":
    case "Projection":
    case "ValueProjection":
    case "FilterProjection":
      return readBy(node.left);
    case "Flatten":
    case "NotExpression":
      return readBy(node.child);
    case "Unary":
      return readBy(node.operand);
    case "Comparator":
    case "Arithmetic":
    case "OrExpression":
    case "AndExpression":
      return readByAll([node.left, node.right]);
    case "Ternary":
      return readByAll([node.condition, node.trueExpr, node.falseExpr]);
    case "MultiSelectList":
    case "Function":
      return readByAll(node.children);
    case "MultiSelectHash":
      return readByAll(node.children.map(({ value }) => value));
    default:
      return undefined;
  }
}

function readByAll(nodes: readonly Node[]): readonly string[] | undefined {
  const names: string[] = [];
  for (const node of nodes) {
    const read = readBy(node);
    if (read === undefined) return undefined;
    names.push(...read);
  }
  return names;
}
