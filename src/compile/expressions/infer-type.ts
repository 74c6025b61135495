import type { Json } from "../../model/json.ts";
import type { Schema } from "../../model/schema.ts";
import { checkOrdering } from "./check-ordering.ts";
import { valueTypes } from "./function-types.ts";
import { inferCall, referenceInput } from "./infer-call.ts";
import { inferField, inferFlatten, inferIndex, inferSlice, reportOther, type TypeScope } from "./infer-step.ts";
import { listAlternatives } from "./list-alternatives.ts";
import { type Node, printNode } from "./print-node.ts";
import {
  ANY,
  BOOLEAN,
  elementsOf,
  listOf,
  NUMBER,
  objectOf,
  orNull,
  tupleOf,
  typeOfLiteral,
  unionOf,
  withoutNull,
} from "./type-algebra.ts";

/** The type of an expression over the current node. After a miss the type is open, so that one mistake is one finding. */
export function inferType(node: Node, scope: TypeScope): Schema {
  const infer = (one: Node) => inferType(one, scope);
  switch (node.type) {
    case "Identity":
    case "Current":
      return scope.current;
    case "Root":
      return scope.root;
    case "Literal":
      return typeOfLiteral(node.value as Json);
    case "Field":
      return inferField(node.name, scope);
    case "Index":
      return inferIndex(node.value, scope);
    case "Slice":
      return inferSlice(scope);
    case "IndexExpression":
    case "Pipe":
      return inferType(node.right, over(node.left, scope));
    case "Subexpression":
      return inferSubexpression(node.left, node.right, scope);
    case "Projection":
      return inferProjection(node.left, node.right, undefined, scope);
    case "FilterProjection":
      return inferProjection(node.left, node.right, node.condition, scope);
    case "ValueProjection":
      return inferValueProjection(node.left, node.right, scope);
    case "Flatten":
      return inferFlatten(infer(node.child), scope.api);
    case "MultiSelectHash":
      return objectOf(node.children.map((child) => [child.name, infer(child.value)] as const));
    case "MultiSelectList":
      return tupleOf(node.children.map(infer));
    case "OrExpression":
      return unionOf([withoutNull(infer(node.left), scope.api), infer(node.right)]);
    case "AndExpression":
      return unionOf([infer(node.left), infer(node.right)]);
    case "Ternary":
      infer(node.condition);
      return unionOf([infer(node.trueExpr), infer(node.falseExpr)]);
    case "NotExpression":
      infer(node.child);
      return BOOLEAN;
    case "Comparator": {
      const sides = [node.left, node.right].map((side) => ({ text: printNode(side, ""), type: infer(side) }));
      if (node.name === "EQ" || node.name === "NE") return BOOLEAN;
      checkOrdering(sides, scope);
      return orNull(BOOLEAN);
    }
    case "Arithmetic":
      infer(node.left);
      infer(node.right);
      return NUMBER;
    case "Unary":
      infer(node.operand);
      return NUMBER;
    case "Function":
      return inferFunction(node.name, node.children, scope);
    case "LetExpression": {
      const bound = node.bindings.map((one) => [one.variable, infer(one.reference)] as const);
      return inferType(node.expression, { ...scope, variables: new Map([...scope.variables, ...bound]) });
    }
    case "Variable":
      // That it is bound, and that functions exist and get as many arguments as they take, was seen to when it was parsed.
      return scope.variables.get(node.name) ?? ANY;
    case "Binding":
      return infer(node.reference);
    case "ExpressionReference":
      return infer(node.child);
    default:
      return node satisfies never;
  }
}

/** The scope in which the part after `left` is evaluated. */
function over(left: Node, scope: TypeScope): TypeScope {
  return { ...scope, current: inferType(left, scope), at: printNode(left, scope.at) };
}

function inferSubexpression(left: Node, right: Node, scope: TypeScope): Schema {
  const below = over(left, scope);
  const type = inferType(right, below);
  // JMESPath, sub-expressions: nothing is evaluated over a null left side.
  const mayBeNull = listAlternatives(below.current, scope.api).some((one) => one.type === "null" || one.type === "any");
  return mayBeNull ? orNull(type) : type;
}

function inferProjection(left: Node, right: Node, condition: Node | undefined, scope: TypeScope): Schema {
  const below = over(left, scope);
  const alternatives = listAlternatives(below.current, scope.api);
  const elements = elementsOf(below.current, scope.api);
  if (elements === undefined) {
    const isSlice = left.type === "IndexExpression" && "right" in left && left.right.type === "Slice";
    if (isSlice && alternatives.some((one) => one.type === "string")) return inferType(right, below);
    return reportOther("list", below);
  }
  const inside: TypeScope = { ...below, current: elements, at: `${below.at}[]` };
  if (condition !== undefined) inferType(condition, inside);
  const list = listOf(withoutNull(inferType(right, inside), scope.api));
  return alternatives.every((one) => one.type === "array") ? list : orNull(list);
}

function inferValueProjection(left: Node, right: Node, scope: TypeScope): Schema {
  const below = over(left, scope);
  const values = valueTypes(below.current, scope.api);
  if (values === undefined) return reportOther("object", below);
  const list = listOf(withoutNull(inferType(right, { ...below, current: values, at: `${below.at}.*` }), scope.api));
  const alternatives = listAlternatives(below.current, scope.api);
  return alternatives.every((one) => one.type === "object") ? list : orNull(list);
}

function inferFunction(name: string, children: readonly Node[], scope: TypeScope): Schema {
  const plain = children.map((one) => (one.type === "ExpressionReference" ? undefined : inferType(one, scope)));
  const inside = { ...scope, current: referenceInput(name, plain, scope), at: `each element in ${name}()` };
  const given = children.map((one, position) => ({
    text: printNode(one, ""),
    type: plain[position] ?? inferType(one, inside),
    isReference: one.type === "ExpressionReference",
  }));
  return inferCall(name, given, scope);
}
