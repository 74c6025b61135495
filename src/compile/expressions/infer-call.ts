import type { Schema } from "../../model/schema.ts";
import { type ArgumentType, FUNCTION_TYPES, type FunctionType } from "./function-types.ts";
import { type TypeScope, typeWords, withArticle } from "./infer-step.ts";
import { listAlternatives } from "./list-alternatives.ts";
import { ANY, elementsOf } from "./type-algebra.ts";

export interface Argument {
  /** As the author wrote it, for a message. */
  readonly text: string;
  readonly type: Schema;
  /** An `&expression`; `type` is then what it gives over each element. */
  readonly isReference: boolean;
}

/** What a function gives, after its arguments were found to fit. */
export function inferCall(name: string, given: readonly Argument[], scope: TypeScope): Schema {
  const signature = FUNCTION_TYPES.get(name);
  if (signature === undefined) return ANY;
  for (const [position, argument] of given.entries()) checkArgument(name, signature, position, argument, scope);
  const types = given.map((one) => one.type);
  return signature.gives({ api: scope.api, types, expression: given.find((one) => one.isReference)?.type ?? ANY });
}

/** What an `&expression` of the call is applied to: the elements of the call's list. */
export function referenceInput(name: string, types: readonly (Schema | undefined)[], scope: TypeScope): Schema {
  const position = FUNCTION_TYPES.get(name)?.takes.findIndex((one) => one.includes("array")) ?? -1;
  return elementsOf(types[position] ?? ANY, scope.api) ?? ANY;
}

function checkArgument(name: string, { takes }: FunctionType, position: number, given: Argument, scope: TypeScope) {
  const wanted = takes[Math.min(position, takes.length - 1)] ?? [];
  const types = given.isReference ? ["expression"] : listAlternatives(given.type, scope.api).map((one) => one.type);
  if (types.length === 0 || types.some((type) => accepts(wanted, type))) return;
  const words = wanted.map((one) => (one === "expression" ? "an &expression" : withArticle(one))).join(" or ");
  const message = `${name}() takes ${words} as argument ${position + 1}, and \`${given.text}\` is ${typeWords(types)}.`;
  scope.report({ kind: "argument", message, nearest: [], known: [] });
}

function accepts(wanted: readonly ArgumentType[], type: string): boolean {
  if (type === "expression" || wanted.includes("expression")) return type === "expression" && wanted.includes(type);
  return (
    type === "any" || wanted.includes("any") || wanted.some((one) => one === (type === "integer" ? "number" : type))
  );
}
