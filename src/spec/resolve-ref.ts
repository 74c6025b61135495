import { isJsonObject, type Json, ownValue } from "../model/json.ts";
import { BrokenSpec } from "./broken-spec.ts";
import type { SpecDocument } from "./read-document.ts";

/** A value of the document and its JSON pointer, written as a URI fragment (RFC 6901 6): `#/paths/~1users/get`. */
export interface Located {
  readonly value: Json | undefined;
  readonly pointer: string;
}

export function pointerTo(parent: string, key: string | number): string {
  return `${parent}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

export function childOf(parent: Located, key: string): Located {
  return {
    value: isJsonObject(parent.value) ? ownValue(parent.value, key) : undefined,
    pointer: pointerTo(parent.pointer, key),
  };
}

/** Follows `$ref` until none is left. Throws BrokenSpec where one leads nowhere, to another document, or round in a circle. */
export function followRefs(document: SpecDocument, start: Located): Located {
  const seen = new Set<string>();
  let at = start;
  for (let ref = refOf(at.value); ref !== undefined; ref = refOf(at.value)) {
    const target = lookUp(document, ref, at.pointer);
    if (seen.has(target.pointer)) throw new BrokenSpec(`$ref ${quote(ref)} only leads back to itself.`, start.pointer);
    seen.add(target.pointer);
    at = target;
  }
  return at;
}

export function refOf(value: unknown): string | undefined {
  const ref = isJsonObject(value) ? ownValue(value, "$ref") : undefined;
  return typeof ref === "string" ? ref : undefined;
}

/** What one reference points at. `from` is where the reference stands, for the fault. The target's pointer is in canonical spelling. */
export function lookUp(document: SpecDocument, ref: string, from: string): Located {
  const tokens = ref.startsWith("#") ? tokensOf(ref.slice(1)) : schemaNamed(document, ref);
  if (tokens === undefined) {
    const reason = ref.startsWith("#") ? "is not a JSON pointer" : "leads to another document, which is not read";
    throw new BrokenSpec(`$ref ${quote(ref)} ${reason}.`, from);
  }
  const pointer = tokens.reduce(pointerTo, "#");
  let value: Json | undefined = document.root;
  for (const token of tokens) value = stepInto(value, token);
  if (value === undefined) throw new BrokenSpec(`$ref ${quote(ref)} leads nowhere.`, from);
  return { value, pointer };
}

function stepInto(value: Json | undefined, token: string): Json | undefined {
  if (Array.isArray(value)) return /^(0|[1-9][0-9]*)$/.test(token) ? value[Number(token)] : undefined;
  return isJsonObject(value) ? ownValue(value, token) : undefined;
}

function tokensOf(fragment: string): string[] | undefined {
  const decoded = decodePercent(fragment);
  if (decoded === "") return [];
  if (!decoded.startsWith("/")) return undefined;
  return decoded
    .slice(1)
    .split("/")
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// Discriminator mappings name a schema bare (OAS 3.1 4.8.25.1), and Swagger 2.0 files do so in `$ref` too.
function schemaNamed(document: SpecDocument, name: string): string[] | undefined {
  const path = document.version === "2.0" ? ["definitions"] : ["components", "schemas"];
  let schemas: Json | undefined = document.root;
  for (const token of path) schemas = stepInto(schemas, token);
  return stepInto(schemas, name) === undefined ? undefined : [...path, name];
}

function quote(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}
