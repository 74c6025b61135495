import type { ParameterPlan } from "../../model/call.ts";
import type { Json } from "../../model/json.ts";
import { encodeLiteral } from "./percent-encode.ts";
import { scalarText } from "./serialize-parameter.ts";
import { Unsendable } from "./unsendable.ts";

export interface PathTemplate {
  /** What stands between slashes: literal parts and names of parameters, in turns, the first and last being literals. */
  readonly segments: readonly (readonly string[])[];
  /** What stood behind a `?` in the template. */
  readonly query: string;
}

/** Splits the key of a path item. Some specs write a query or a fragment into it: the query is sent, the fragment is not. */
export function readTemplate(path: string): PathTemplate {
  const [beforeHash = ""] = path.split("#");
  const at = beforeHash.indexOf("?");
  const [template, query] = at === -1 ? [beforeHash, ""] : [beforeHash.slice(0, at), beforeHash.slice(at + 1)];
  return { segments: template.split("/").map((segment) => segment.split(/\{([^{}]*)\}/)), query };
}

/** The names of the parameters of one segment. */
export function namesIn(segment: readonly string[]): string[] {
  return segment.filter((_part, index) => index % 2 === 1);
}

/** One encoded segment, its values filled in: `values` holds the encoded text of each parameter. */
export function fillSegment(segment: readonly string[], values: ReadonlyMap<string, string>): string {
  return segment.map((part, index) => (index % 2 === 0 ? encodeLiteral(part) : (values.get(part) ?? ""))).join("");
}

const DOTS = new Set(["", ".", ".."]);
const LEAVES = "it would leave its place in the path";
const EMPTY = "a part of a path cannot be empty or blank, or be so for servers that take off what follows a `;`";

/** Refuses a value of a path that is empty or holds what servers cut a path at. Throws `Unsendable`. */
export function checkValue(value: Json, encoded: string, style: ParameterPlan["style"]): void {
  // A list of Swagger 2.0's `tsv` is separated by one, which no item holds.
  const own = style === "tabDelimited" ? encoded.replaceAll("%09", "") : encoded;
  const text = typeof value === "object" ? decodeSafely(own) : scalarText(value);
  if (/[\u0000-\u001f\u007f]/.test(text)) throw new Unsendable("a path cannot hold control characters");
  const plain = text.normalize("NFKC");
  const isDisguised = plain !== text && /[/\\]/.test(plain);
  if (encoded === "") throw new Unsendable(EMPTY);
  if (isDisguised && plain.split(/[/\\]/).some((part) => DOTS.has(strip(part)))) throw new Unsendable(LEAVES);
}

/**
 * Refuses a segment that servers would take for none, for `.` or for `..`: these, in wide letters, or with a `;` parameter or spaces that are taken
 * off. A plain `/`, `\` or `%` in a value is data and goes out encoded, so that a server that decodes once reads it as data. Throws `Unsendable`.
 */
export function checkSegment(segment: string): void {
  // In matrix style (RFC 6570 3.2.7) the segment is its parameters.
  if (segment.startsWith(";")) return;
  const left = strip(decodeSafely(segment).normalize("NFKC"));
  if (DOTS.has(left)) throw new Unsendable(left === "" ? EMPTY : LEAVES);
}

function strip(part: string): string {
  return part.replace(/;.*$/s, "").replace(/^[\s\p{Cc}\p{Cf}]+|[\s\p{Cc}\p{Cf}]+$/gu, "");
}

/** A literal part of the template may hold a `%` that encodes nothing. */
function decodeSafely(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}
