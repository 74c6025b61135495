import type { Json } from "../../model/json.ts";
import { encodeLiteral } from "./percent-encode.ts";
import { scalarText } from "./serialize-parameter.ts";
import { Unsendable } from "./unsendable.ts";

export interface PathTemplate {
  /** Literal parts and names of parameters, in turns, the first and last being literals. */
  readonly parts: readonly string[];
  /** What stood behind a `?` in the template. */
  readonly query: string;
}

/** Splits the key of a path item. Some specs write a query or a fragment into it: the query is sent, the fragment is not. */
export function readTemplate(path: string): PathTemplate {
  const [beforeHash = ""] = path.split("#");
  const at = beforeHash.indexOf("?");
  const [template, query] = at === -1 ? [beforeHash, ""] : [beforeHash.slice(0, at), beforeHash.slice(at + 1)];
  return { parts: template.split(/\{([^{}]*)\}/), query };
}

/** The encoded path, its values filled in: `values` holds the encoded text of each parameter. */
export function fillTemplate({ parts }: PathTemplate, values: ReadonlyMap<string, string>): string {
  return parts.map((part, index) => (index % 2 === 0 ? encodeLiteral(part) : (values.get(part) ?? ""))).join("");
}

const DOTS = new Set(["", ".", ".."]);

/**
 * Refuses what would leave its path segment: nothing, `.`, `..`, each also in disguise (encoded, in wide letters, with a `;` parameter or spaces that
 * servers take off), and separators in disguise around such dots. A plain `/` or `\` is data and goes out encoded. Throws `Unsendable`.
 */
export function checkSegment(value: Json, encoded: string): void {
  const text = typeof value === "object" ? decodeURIComponent(encoded) : scalarText(value);
  if (/[\u0000-\u001f\u007f]/.test(text)) throw new Unsendable("a path cannot hold control characters");
  if (DOTS.has(encoded)) throw new Unsendable("it would leave its place in the path");
  const plain = undisguise(text);
  if (DOTS.has(strip(plain))) throw new Unsendable("it would leave its place in the path");
  if (
    plain !== text &&
    plain.split(/[/\\]/).length > 1 &&
    plain.split(/[/\\]/).some((part) => /^\.\.?$/.test(strip(part)))
  ) {
    throw new Unsendable("it would leave its place in the path");
  }
}

/** What a lenient server may make of a text: compatibility forms, and percent-decoding, more than once. */
function undisguise(text: string): string {
  let plain = text.normalize("NFKC");
  for (let rounds = 0; rounds < 3; rounds += 1) {
    plain = plain
      .replace(/%([0-7][0-9a-f])/gi, (_triple, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      .normalize("NFKC");
  }
  return plain;
}

function strip(part: string): string {
  return part.replace(/;.*$/s, "").replace(/^[\s\p{Cc}\p{Cf}]+|[\s\p{Cc}\p{Cf}]+$/gu, "");
}
