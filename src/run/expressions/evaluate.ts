import { ToolError } from "../../model/errors.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import type { Expression, Value } from "../../model/value.ts";
import { exactDigits } from "../request/exact-number.ts";
import { boundOutput, createBudget } from "./budget.ts";
import { isReference } from "./function-types.ts";
import { type Node, parseExpression } from "./parse-expression.ts";
import { visitNode } from "./visit-node.ts";

/** What expressions may read, as far as it exists where one stands; `$` is all of it. */
export interface Roots {
  readonly input: JsonObject;
  readonly pins: JsonObject;
  readonly steps?: JsonObject;
  readonly item?: Json;
  readonly captures?: readonly Json[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly key?: JsonObject;
}

const NO_VARIABLES: ReadonlyMap<string, unknown> = new Map();

/**
 * The value of an expression over `current`, with `$` as the roots; null where there is none. Only own properties are read. Parts of it that are
 * `withheld` are null. Throws `ExpressionFailed` for wrong types (a function of null among them) and over the bounds on depth, steps and output.
 */
export function evaluateExpression(
  expression: Expression,
  current: unknown,
  roots: Roots,
  withheld?: ReadonlySet<Node>,
): Json {
  const { node, makes } = parseExpression(expression);
  if (withheld?.has(node)) return null;
  const scope = { root: roots, budget: createBudget(), variables: NO_VARIABLES };
  const value = visitNode(node, current ?? null, withheld === undefined ? scope : { ...scope, withheld });
  if (isReference(value)) return null;
  if (makes) boundOutput(value);
  return value as Json;
}

/**
 * A value of the curation with its expressions evaluated over the roots; null where a single expression has no value. In an object an expression
 * without a value leaves its key out. Throws ToolError `invalid_arguments` where a part of a text has no value or is a list or object, and
 * what `evaluateExpression` throws.
 */
export function evaluateValue(value: Value, roots: Roots): Json {
  switch (value.kind) {
    case "literal":
      return value.value;
    case "expression":
      return evaluateExpression(value.expression, roots, roots);
    case "text":
      return value.parts.map((part) => (typeof part === "string" ? part : evaluateToText(part, roots))).join("");
    case "object":
      return Object.fromEntries(
        value.entries
          .map(([key, inner]) => [key, evaluateValue(inner, roots), inner.kind] as const)
          .filter(([, result, kind]) => result !== null || kind === "literal"),
      );
    case "list":
      return value.items.map((item) => evaluateValue(item, roots));
    default:
      return value satisfies never;
  }
}

function evaluateToText(expression: Expression, roots: Roots): string {
  const given = evaluateExpression(expression, roots, roots);
  const value = exactDigits(given) ?? given;
  if (value !== null && typeof value !== "object") return String(value);
  const what = value === null ? "no value" : "a list or an object";
  throw new ToolError("invalid_arguments", {
    message: `\`${expression.jmespath}\` gives ${what} where it is set into a text.`,
    recover: "Set the argument that it is made of.",
  });
}
