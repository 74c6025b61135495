import qs from "qs";
import { isJsonObject, type Json, type JsonObject } from "../../src/model/json.ts";

type Form = Record<string, unknown>;

/**
 * Decodes a query or a form as servers do: `a[b]=c` is a property inside, but for names that the document itself writes with brackets, which are
 * read as they stand.
 */
export function decodeForm(text: string, literal: ReadonlySet<string>): Form {
  const pairs = text.split("&").filter((pair) => pair !== "");
  const isLiteral = (pair: string) => literal.has(nameOf(pair));
  const rest = pairs.filter((pair) => !isLiteral(pair)).join("&");
  const decoded: Form = qs.parse(rest, { arrayLimit: 1_000, depth: 30, parameterLimit: 10_000 });
  const plain = new URLSearchParams(pairs.filter(isLiteral).join("&"));
  for (const name of new Set(plain.keys())) {
    const values = plain.getAll(name);
    decoded[name] = values.length === 1 ? values[0] : values;
  }
  return decoded;
}

function nameOf(pair: string): string {
  return [...new URLSearchParams(pair).keys()][0] ?? "";
}

/** The names with brackets that a document gives to query parameters and properties. */
export function bracketNames(document: JsonObject): Set<string> {
  const found = new Set<string>();
  walk(document, (object) => {
    if (object["in"] === "query" && typeof object["name"] === "string" && object["name"].includes("["))
      found.add(object["name"]);
    if (isJsonObject(object["properties"]))
      for (const name of Object.keys(object["properties"])) if (name.includes("[")) found.add(name);
  });
  return found;
}

/** Every format that a document names. */
export function formatNames(document: JsonObject): Set<string> {
  const found = new Set<string>();
  walk(document, ({ format }) => {
    if (typeof format === "string") found.add(format);
  });
  return found;
}

function walk(value: Json, visit: (object: JsonObject) => void): void {
  if (Array.isArray(value)) for (const item of value) walk(item, visit);
  if (!isJsonObject(value)) return;
  visit(value);
  for (const inner of Object.values(value)) walk(inner, visit);
}
