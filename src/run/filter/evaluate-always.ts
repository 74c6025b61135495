import { expressionsOf } from "../../model/expressions-of.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import type { ToolFilter } from "../../model/tool.ts";
import type { Value } from "../../model/value.ts";
import { evaluateExpression, evaluateValue, type Roots } from "../expressions/evaluate.ts";

/**
 * The conditions of `always` with their values, over arguments in the upstream's form; null leaves one out. Throws an Error where one that reads
 * a pin has no value: left out, it would show what the pin keeps away.
 */
export function evaluateAlways(always: ToolFilter["always"], wire: Roots): JsonObject {
  return Object.fromEntries(always.map(([key, value]) => [key, evaluateEntry(key, value, wire)]));
}

function evaluateEntry(key: string, value: Value, wire: Roots): Json {
  const isUnset = expressionsOf(value)
    .filter(({ jmespath }) => /\bpins\b/.test(jmespath))
    .some((expression) => evaluateExpression(expression, wire, wire) === null);
  if (isUnset) throw new Error(`The pin in \`filter.always.${key}\` has no value.`);
  return evaluateValue(value, wire);
}
