import type { compile } from "@jmespath-community/jmespath";

/** A node of a parsed expression. */
export type Node = ReturnType<typeof compile>;

/** A path as its author would write it, for a message; what is no path is shortened to `(…)`. `from` is what the current node is called. */
export function printNode(node: Node, from: string): string {
  const text = print(node);
  if (text === "@" || text === "") return from === "" ? "@" : from;
  return text.startsWith("[") ? `${from}${text}` : text;
}

function print(node: Node): string {
  switch (node.type) {
    case "Identity":
      return "";
    case "Current":
      return "@";
    case "Root":
      return "$";
    case "Field":
      return /^[A-Za-z_][A-Za-z0-9_]*$/.test(node.name) ? node.name : JSON.stringify(node.name);
    case "Index":
      return `[${node.value}]`;
    case "Slice":
      return "[:]";
    case "Variable":
      return `$${node.name}`;
    case "Literal":
      return JSON.stringify(node.value);
    case "Function":
      return `${node.name}(…)`;
    case "IndexExpression":
      return `${print(node.left)}${print(node.right)}`;
    case "Subexpression":
      return `${print(node.left)}.${print(node.right)}`;
    case "Pipe":
      return print(node.right);
    case "Flatten":
      return print(node.child);
    case "Projection":
    case "FilterProjection":
    case "ValueProjection": {
      const below = print(node.right);
      const star = node.type === "ValueProjection" ? ".*" : "[]";
      return `${print(node.left)}${star}${below === "" || below.startsWith("[") ? below : `.${below}`}`;
    }
    case "ExpressionReference":
      return `&${print(node.child)}`;
    default:
      return "(…)";
  }
}
