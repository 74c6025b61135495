import { ExpressionFailed } from "../../model/errors.ts";
import type { Json } from "../../model/json.ts";
import type { Expression } from "../../model/value.ts";
import { evaluateExpression, type Roots } from "../expressions/evaluate.ts";

/** The value of an expression over a body; undefined where it cannot be evaluated over this one. */
export function tryExpression(expression: Expression, body: Json, roots: Roots): Json | undefined {
  try {
    return evaluateExpression(expression, body, roots);
  } catch (error) {
    if (error instanceof ExpressionFailed) return undefined;
    throw error;
  }
}
