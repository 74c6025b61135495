import { ExpressionFailed } from "../../model/errors.ts";
import type { Expression } from "../../model/value.ts";
import { evaluateExpression, type Roots } from "../expressions/evaluate.ts";
import { isTrue } from "../is-true.ts";

/** Whether a condition is true; one that cannot be evaluated, such as `contains` of a null, is not. */
export function holds(when: Expression, current: unknown, roots: Roots): boolean {
  try {
    return isTrue(evaluateExpression(when, current, roots));
  } catch (error) {
    if (error instanceof ExpressionFailed) return false;
    throw error;
  }
}
