import { expressionRoots, type RootRead } from "../../curation/expression.ts";
import { isJsonObject, type Json } from "../../model/json.ts";

/** What the expressions in the data of a toolset read below the roots. */
export function readsIn(data: Json): RootRead[] {
  if (Array.isArray(data)) return data.flatMap(readsIn);
  if (!isJsonObject(data)) return [];
  const { jmespath } = data;
  return typeof jmespath === "string" ? expressionRoots({ jmespath }) : Object.values(data).flatMap(readsIn);
}
