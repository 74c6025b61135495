import { isFault } from "../model/api.ts";
import { isJsonObject } from "../model/json.ts";
import { faultOf } from "./broken-spec.ts";
import { childOf, type Located } from "./locate.ts";
import type { SpecDocument } from "./read-document.ts";
import { canonicalRef, followRefs, refOf } from "./resolve-ref.ts";

/** Makes `Api.subtypesOf`: the component schemas are looked through once, when it is first asked. */
export function createSubtypes(document: SpecDocument): (name: string) => readonly string[] {
  let found: ReadonlyMap<string, readonly string[]> | undefined;
  return (name) => {
    found ??= findSubtypes(document);
    return found.get(name.replace(/(?<=.)#$/, "")) ?? [];
  };
}

// OAS 3.1 4.8.25: the schemas that may stand where their parent does are those whose `allOf` refers to it.
function findSubtypes(document: SpecDocument): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const component of componentsOf(document)) {
    const schema = faultOf(() => followRefs(document, component));
    if (isFault(schema)) continue;
    const parts = childOf(schema, "allOf");
    for (const part of Array.isArray(parts.value) ? parts.value : []) {
      const ref = refOf(part);
      if (ref === undefined) continue;
      const parent = canonicalRef(document, ref, parts.pointer);
      const known = found.get(parent) ?? [];
      if (!known.includes(component.pointer)) known.push(component.pointer);
      found.set(parent, known);
    }
  }
  return found;
}

function componentsOf(document: SpecDocument): Located[] {
  const path = document.version === "2.0" ? ["definitions"] : ["components", "schemas"];
  const schemas = faultOf(() =>
    path.reduce<Located>((at, name) => followRefs(document, childOf(at, name)), { value: document.root, pointer: "#" }),
  );
  if (isFault(schemas) || !isJsonObject(schemas.value)) return [];
  return Object.keys(schemas.value).map((name) => childOf(schemas, name));
}
