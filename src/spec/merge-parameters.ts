import { isJsonObject, type JsonObject } from "../model/json.ts";
import { BrokenSpec } from "./broken-spec.ts";
import { childOf, type Located, pointerTo } from "./locate.ts";
import type { SpecDocument } from "./read-document.ts";
import { textOf } from "./read-field.ts";
import { followRefs } from "./resolve-ref.ts";

/** A parameter as written, behind its `$ref`. */
export interface RawParameter {
  readonly name: string;
  readonly in: string;
  readonly value: JsonObject;
  readonly pointer: string;
}

/** The parameters of path item and operation, the operation's own winning by name and place (OAS 3.1 4.8.9.1). */
export function mergeParameters(document: SpecDocument, ...layers: readonly Located[]): RawParameter[] {
  const merged = new Map<string, RawParameter>();
  for (const layer of layers) {
    const list = followRefs(document, childOf(layer, "parameters"));
    for (const [index, value] of (Array.isArray(list.value) ? list.value : []).entries()) {
      const parameter = readRaw(followRefs(document, { value, pointer: pointerTo(list.pointer, index) }));
      merged.set(identityOf(parameter), parameter);
    }
  }
  return [...merged.values()];
}

function readRaw(at: Located): RawParameter {
  const value = isJsonObject(at.value) ? at.value : {};
  const [name, place] = [textOf(value, "name"), textOf(value, "in")];
  if (name === undefined || place === undefined)
    throw new BrokenSpec("The parameter has no name or no place.", at.pointer);
  return { name, in: place, value, pointer: at.pointer };
}

// Header names count without letter case (RFC 9110 5.1); a body is one, whatever its name (Swagger 2.0).
function identityOf({ name, in: place }: RawParameter): string {
  if (place === "body") return "body";
  return `${place} ${place === "header" ? name.toLowerCase() : name}`;
}
