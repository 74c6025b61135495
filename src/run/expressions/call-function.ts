import { ExpressionFailed } from "../../model/errors.ts";
import { type Budget, spend } from "./budget.ts";
import { type ArgumentKind, isReference, type JmesFunction, kindOf } from "./function-types.ts";
import { LIST_FUNCTIONS } from "./list-functions.ts";
import { TEXT_FUNCTIONS } from "./text-functions.ts";

const FUNCTIONS: ReadonlyMap<string, JmesFunction> = new Map([
  ...Object.entries(TEXT_FUNCTIONS),
  ...Object.entries(LIST_FUNCTIONS),
]);

/** Calls a function of JMESPath Community. Throws `ExpressionFailed` for an unknown name, a wrong number or a wrong type of arguments. */
export function callFunction(name: string, given: readonly unknown[], budget: Budget): unknown {
  const called = FUNCTIONS.get(name);
  if (called === undefined) throw new ExpressionFailed(`There is no function ${name.slice(0, 40)}().`);
  const most = called.variadic ? Number.POSITIVE_INFINITY : called.takes.length;
  if (given.length < called.takes.length - (called.optional ?? 0) || given.length > most) {
    throw new ExpressionFailed(`${name}() does not take ${given.length} arguments.`);
  }
  given.forEach((value, index) => {
    const kinds = called.takes[Math.min(index, called.takes.length - 1)] ?? [];
    if (!kinds.some((kind) => IS[kind](value, budget))) {
      throw new ExpressionFailed(
        `${name}() takes ${kinds.join(" or ")} as argument ${index + 1}, not ${kindOf(value)}.`,
      );
    }
  });
  return called.run([...given] as never, budget);
}

const IS: Readonly<Record<ArgumentKind, (value: unknown, budget: Budget) => boolean>> = {
  number: (value) => typeof value === "number",
  string: (value) => typeof value === "string",
  array: (value) => Array.isArray(value),
  object: (value) => kindOf(value) === "object",
  any: (value) => !isReference(value),
  reference: isReference,
  numbers: (value, budget) => isListOf(value, "number", budget),
  strings: (value, budget) => isListOf(value, "string", budget),
  arrays: (value, budget) => isListOf(value, "array", budget),
};

function isListOf(value: unknown, kind: string, budget: Budget): boolean {
  if (!Array.isArray(value)) return false;
  spend(budget, value.length);
  return value.every((element) => kindOf(element) === kind);
}
