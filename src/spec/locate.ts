import { isJsonObject, type Json, ownValue } from "../model/json.ts";
import { escapeToken, unescapeToken } from "../model/json-pointer.ts";
import { isRefusal } from "./further-documents.ts";
import type { SpecDocument } from "./read-document.ts";

/**
 * A value of the spec and its JSON pointer, written as a URI fragment (RFC 6901 6): `#/paths/~1users/get`, in a further document
 * `models/user.yaml#/properties/id`.
 */
export interface Located {
  readonly value: Json | undefined;
  readonly pointer: string;
}

export function pointerTo(parent: string, key: string | number): string {
  return `${parent}/${escapeToken(String(key))}`;
}

export function childOf(parent: Located, key: string): Located {
  return { value: stepInto(parent.value, key), pointer: pointerTo(parent.pointer, key) };
}

/** The own property or list item of that name. */
export function stepInto(value: Json | undefined, token: string): Json | undefined {
  if (Array.isArray(value)) return /^(0|[1-9][0-9]*)$/.test(token) ? value[Number(token)] : undefined;
  return isJsonObject(value) ? ownValue(value, token) : undefined;
}

/** The document in which a pointer stands; the root's id is the empty text. */
export function documentIdOf(pointer: string): string {
  const end = pointer.indexOf("#");
  return end <= 0 ? "" : pointer.slice(0, end);
}

/** The root of a document; undefined where it cannot be read. */
export function rootOf(document: SpecDocument, id: string): Located | undefined {
  if (id === "") return { value: document.root, pointer: "#" };
  const further = document.further.read(id);
  return isRefusal(further) ? undefined : { value: further.root, pointer: `${id}#` };
}

/** The steps of a pointer that stands in a fragment; undefined where it is none. */
export function tokensOf(fragment: string): string[] | undefined {
  const decoded = decodePercent(fragment);
  if (decoded === "") return [];
  if (!decoded.startsWith("/")) return undefined;
  return decoded.slice(1).split("/").map(unescapeToken);
}

export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
