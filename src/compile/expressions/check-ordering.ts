import type { Schema } from "../../model/schema.ts";
import { type TypeScope, typeWords } from "./infer-step.ts";
import { listAlternatives } from "./list-alternatives.ts";

const COMPARABLE: ReadonlySet<string> = new Set(["any", "number", "integer"]);

/** `<` and its kin compare numbers: over anything else they give null, whatever the values are (JMESPath, Ordering Operators). */
export function checkOrdering(sides: readonly { readonly text: string; readonly type: Schema }[], scope: TypeScope) {
  for (const { text, type } of sides) {
    const types = listAlternatives(type, scope.api)
      .map((one) => one.type)
      .filter((one) => one !== "null");
    if (types.length === 0 || types.some((one) => COMPARABLE.has(one))) continue;
    const instead = types.includes("string") ? " For texts write max([a, b]) == a in place of a >= b." : "";
    const message = `Only numbers are compared by size, and \`${text}\` is ${typeWords(types)}, so this is always null.${instead}`;
    scope.report({ kind: "argument", message, nearest: [], known: [] });
    return;
  }
}
