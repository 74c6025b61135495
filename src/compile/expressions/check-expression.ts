import { compile } from "@jmespath-community/jmespath";
import type { Api } from "../../model/api.ts";
import type { Schema } from "../../model/schema.ts";
import type { Expression } from "../../model/value.ts";
import type { Miss, TypeScope } from "./infer-step.ts";
import { inferType } from "./infer-type.ts";
import type { TypeRoots } from "./type-roots.ts";

export interface ExpressionContext {
  readonly api: Api;
  /** The type of the current node. */
  readonly current: Schema;
  /** What the current node is called in a message: `the body`. */
  readonly at: string;
  readonly roots: TypeRoots;
}

export interface CheckedExpression {
  /** What the expression may give, null included; `{}` where nothing is known. */
  readonly type: Schema;
  readonly misses: readonly Miss[];
}

/**
 * Types an expression against the schemas that it reads. A miss is something that can never give a value: a path that no branch of a
 * union has, a name that is no input, a call that always fails. Open schemas have no misses. References are followed when a step
 * reaches them, so recursion needs no care.
 */
export function checkExpression(expression: Expression, context: ExpressionContext): CheckedExpression {
  const misses: Miss[] = [];
  const scope: TypeScope = {
    api: context.api,
    current: context.current,
    at: context.at,
    root: context.roots.schema,
    own: context.roots.own,
    variables: new Map(),
    report: (miss) => {
      if (!misses.some((one) => one.message === miss.message)) misses.push(miss);
    },
  };
  return { type: inferType(compile(expression.jmespath), scope), misses };
}
