import type { SpecFault } from "../model/api.ts";
import { isFault } from "../model/api.ts";
import { isJsonObject, type Json } from "../model/json.ts";
import { faultOf } from "./broken-spec.ts";
import type { SpecDocument } from "./read-document.ts";
import { type Located, lookUp, pointerTo, refOf } from "./resolve-ref.ts";

/** Under these the keys are names, so that a `$ref` or an `example` there is a name too. */
const NAMED: ReadonlySet<string> = new Set([
  ...[
    "properties",
    "patternProperties",
    "dependentSchemas",
    "$defs",
    "definitions",
    "schemas",
    "parameters",
    "responses",
    "requestBodies",
  ],
  ...[
    "headers",
    "securitySchemes",
    "securityDefinitions",
    "links",
    "callbacks",
    "pathItems",
    "paths",
    "webhooks",
    "content",
    "encoding",
  ],
  ...["mediaTypes", "additionalOperations"],
]);
/** Under these everything is data. */
const DATA: ReadonlySet<string> = new Set([
  "example",
  "examples",
  "default",
  "enum",
  "const",
  "mapping",
  "scopes",
  "variables",
]);

/** Every `$ref` of the document that leads nowhere or to another document, also those that no operation reaches. */
export function findBrokenRefs(document: SpecDocument): SpecFault[] {
  const faults: SpecFault[] = [];
  const seen = new Set<object>();
  const open: (Located & { readonly named: boolean })[] = [{ value: document.root, pointer: "#", named: false }];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (typeof at.value !== "object" || at.value === null || seen.has(at.value)) continue;
    seen.add(at.value);
    const { value, pointer, named } = at;
    const ref = named ? undefined : refOf(value);
    const target = ref === undefined ? undefined : faultOf(() => lookUp(document, ref, pointer));
    if (target !== undefined && isFault(target)) faults.push(target);
    const children = childrenOf(value, named).map(([key, child]) => ({
      value: child,
      pointer: pointerTo(pointer, key),
      named: !named && isJsonObject(value) && NAMED.has(key),
    }));
    open.push(...children.reverse());
  }
  return faults;
}

function childrenOf(value: Json, named: boolean): [string, Json][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).filter(
    ([key]) => named || Array.isArray(value) || (!DATA.has(key) && !key.startsWith("x-")),
  );
}
