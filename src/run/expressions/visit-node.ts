import { Decimal } from "decimal.js";
import { ExpressionFailed } from "../../model/errors.ts";
import { isJsonObject } from "../../model/json.ts";
import { isTrue } from "../is-true.ts";
import { type Budget, spend } from "./budget.ts";
import { callFunction } from "./call-function.ts";
import { isReference, type Reference, reference } from "./function-types.ts";
import type { Node } from "./parse-expression.ts";
import { areEqual, readField, sliceList } from "./read-values.ts";

/** Where a node is evaluated. */
export interface Scope {
  /** What `$` is. */
  readonly root: unknown;
  readonly budget: Budget;
  /** Of `let`, the innermost first. */
  readonly variables: ReadonlyMap<string, unknown>;
  /** Entries of objects and lists that are null, whatever they would be. */
  readonly withheld?: ReadonlySet<Node>;
}

/**
 * Evaluates one node of JMESPath Community. Ours and not the library's interpreter, because that one reads inherited properties, takes data that
 * looks like its own nodes for code, loses `let` inside function arguments, sorts numbers as text, adds in binary and cannot be stopped.
 */
export function visitNode(node: Node, value: unknown, scope: Scope): unknown {
  spend(scope.budget, 1);
  scope.budget.depth -= 1;
  if (scope.budget.depth < 0) throw new ExpressionFailed("The evaluation goes too deep.");
  try {
    return visit(node, value, scope) ?? null;
  } finally {
    scope.budget.depth += 1;
  }
}

function visit(node: Node, value: unknown, scope: Scope): unknown {
  switch (node.type) {
    case "Identity":
    case "Current":
      return value;
    case "Root":
      return scope.root;
    case "Literal":
      return node.value;
    case "Field":
      return readField(value, node.name);
    case "Index":
      return Array.isArray(value) ? value.at(node.value) : null;
    case "Slice":
      return sliceList(value, node, scope.budget);
    case "Subexpression": {
      const left = visitNode(node.left, value, scope);
      return left === null ? null : visitNode(node.right, left, scope);
    }
    case "IndexExpression":
    case "Pipe":
      return visitNode(node.right, visitNode(node.left, value, scope), scope);
    case "Projection": {
      const base = visitNode(node.left, value, scope);
      // A slice of a text stays a text (JEP-18).
      if (typeof base === "string" && isSlice(node.left)) return visitNode(node.right, base, scope);
      return Array.isArray(base) ? project(base, node.right, scope) : null;
    }
    case "ValueProjection": {
      const base = visitNode(node.left, value, scope);
      return isJsonObject(base) ? project(Object.values(base), node.right, scope) : null;
    }
    case "FilterProjection": {
      const base = visitNode(node.left, value, scope);
      if (!Array.isArray(base)) return null;
      return project(
        base.filter((element) => isTrue(visitNode(node.condition, element, scope))),
        node.right,
        scope,
      );
    }
    case "Flatten": {
      const base = visitNode(node.child, value, scope);
      if (!Array.isArray(base)) return null;
      const flat = base.flat();
      spend(scope.budget, flat.length);
      return flat;
    }
    case "MultiSelectList":
      return node.children.map((child) => visitCell(child, value, scope));
    case "MultiSelectHash":
      // Object.fromEntries defines own properties, so that a key `__proto__` is one like any other.
      return Object.fromEntries(node.children.map((child) => [child.name, visitCell(child.value, value, scope)]));
    case "OrExpression": {
      const left = visitNode(node.left, value, scope);
      return isTrue(left) ? left : visitNode(node.right, value, scope);
    }
    case "AndExpression": {
      const left = visitNode(node.left, value, scope);
      return isTrue(left) ? visitNode(node.right, value, scope) : left;
    }
    case "NotExpression":
      return !isTrue(visitNode(node.child, value, scope));
    case "Ternary":
      return visitNode(isTrue(visitNode(node.condition, value, scope)) ? node.trueExpr : node.falseExpr, value, scope);
    case "Comparator":
      return compare(node.name, visitNode(node.left, value, scope), visitNode(node.right, value, scope), scope.budget);
    case "Arithmetic":
      return calculate(node.operator, visitNode(node.left, value, scope), visitNode(node.right, value, scope));
    case "Unary": {
      const operand = toDecimal(visitNode(node.operand, value, scope));
      return node.operator === "Minus" ? operand.neg().toNumber() : operand.toNumber();
    }
    case "LetExpression": {
      const variables = new Map(scope.variables);
      for (const { variable, reference: source } of node.bindings)
        variables.set(variable, visitNode(source, value, scope));
      return visitNode(node.expression, value, { ...scope, variables });
    }
    case "Variable":
      if (!scope.variables.has(node.name)) throw new ExpressionFailed(`There is no variable $${node.name}.`);
      return scope.variables.get(node.name);
    case "ExpressionReference":
      return reference((element) => visitNode(node.child, element, scope));
    case "Function": {
      const given = node.children.map((child): unknown | Reference => visitNode(child, value, scope));
      return callFunction(node.name, given, scope.budget);
    }
    case "Binding":
      throw new ExpressionFailed("An assignment stands outside `let`.");
    default:
      return node satisfies never;
  }
}

function visitCell(node: Node, value: unknown, scope: Scope): unknown {
  return scope.withheld?.has(node) ? null : visitNode(node, value, scope);
}

function project(elements: readonly unknown[], right: Node, scope: Scope): unknown[] {
  const collected: unknown[] = [];
  for (const element of elements) {
    const projected = visitNode(right, element, scope);
    if (projected !== null) collected.push(projected);
  }
  return collected;
}

function isSlice(node: Node): boolean {
  return node.type === "IndexExpression" && node.right.type === "Slice";
}

type Comparator = Extract<Node, { readonly type: "Comparator" }>["name"];

function compare(name: Comparator, left: unknown, right: unknown, budget: Budget): boolean | null {
  if (name === "EQ") return areEqual(left, right, budget);
  if (name === "NE") return !areEqual(left, right, budget);
  // The specification orders numbers only; anything else compares to null.
  if (typeof left !== "number" || typeof right !== "number") return null;
  return ORDER[name](left, right);
}

const ORDER: Readonly<Record<Exclude<Comparator, "EQ" | "NE">, (left: number, right: number) => boolean>> = {
  GT: (left, right) => left > right,
  GTE: (left, right) => left >= right,
  LT: (left, right) => left < right,
  LTE: (left, right) => left <= right,
};

const OPERATIONS: ReadonlyMap<string, (left: Decimal, right: Decimal) => Decimal> = new Map([
  ["Plus", (left, right) => left.plus(right)],
  ["Minus", (left, right) => left.minus(right)],
  ["Multiply", (left, right) => left.times(right)],
  ["Star", (left, right) => left.times(right)],
  ["Divide", (left, right) => left.div(notZero(right))],
  ["Div", (left, right) => left.div(notZero(right)).floor()],
  ["Modulo", (left, right) => left.mod(notZero(right))],
]);

function calculate(operator: string, left: unknown, right: unknown): number {
  const operation = OPERATIONS.get(operator);
  if (operation === undefined) throw new ExpressionFailed(`There is no operator ${operator}.`);
  return operation(toDecimal(left), toDecimal(right)).toNumber();
}

function toDecimal(value: unknown): Decimal {
  if (typeof value !== "number" || isReference(value))
    throw new ExpressionFailed("Only numbers can be calculated with.");
  return new Decimal(value);
}

function notZero(value: Decimal): Decimal {
  if (value.isZero()) throw new ExpressionFailed("There is no division by zero.");
  return value;
}
