import { isJsonObject, type Json } from "../model/json.ts";
import { type Located, pointerTo } from "./locate.ts";

/** Under these the keys are names, so that a `$ref` or an `example` there is a name too. */
const NAMED: ReadonlySet<string> = new Set([
  ...["properties", "patternProperties", "dependentSchemas", "$defs", "definitions", "schemas", "parameters"],
  ...["responses", "requestBodies", "headers", "securitySchemes", "securityDefinitions", "links", "callbacks"],
  ...["pathItems", "paths", "webhooks", "content", "encoding", "mediaTypes", "additionalOperations"],
]);
/** Under these everything is data. */
const DATA: ReadonlySet<string> = new Set([
  ...["example", "examples", "default", "enum", "const", "mapping", "scopes", "variables"],
]);

/** Every object and list below `root` in which a keyword may stand, each once, parents first; data and extensions are left out. */
export function* walkDocument(root: Located): Generator<Located> {
  const seen = new Set<object>();
  const open: (Located & { readonly named: boolean })[] = [{ ...root, named: false }];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (typeof at.value !== "object" || at.value === null || seen.has(at.value)) continue;
    seen.add(at.value);
    const { value, pointer, named } = at;
    if (!named) yield at;
    const children = childrenOf(value, named).map(([key, child]) => ({
      value: child,
      pointer: pointerTo(pointer, key),
      named: !named && isJsonObject(value) && NAMED.has(key),
    }));
    open.push(...children.reverse());
  }
}

function childrenOf(value: Json, named: boolean): [string, Json][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).filter(
    ([key]) => named || Array.isArray(value) || (!DATA.has(key) && !key.startsWith("x-")),
  );
}
