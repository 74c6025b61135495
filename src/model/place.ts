import { escapeToken } from "./json-pointer.ts";

/**
 * Where in a request a value goes (contract section 1, Places). `pointer` leads inside the value at that place, unescaped, `[]` for
 * the whole: `body/range/from` is `{ in: "body", pointer: ["range", "from"] }`.
 */
export type Place =
  | { readonly in: "path" | "query" | "header" | "cookie"; readonly name: string; readonly pointer: readonly string[] }
  | { readonly in: "querystring" | "body"; readonly pointer: readonly string[] };

/** The canonical text of a place; equal places have equal texts. Header names count without letter case (RFC 9110 5.1). */
export function placeText(place: Place): string {
  const name = "name" in place ? `.${place.in === "header" ? place.name.toLowerCase() : place.name}` : "";
  return `${place.in}${name}${place.pointer.map((part) => `/${escapeToken(part)}`).join("")}`;
}
