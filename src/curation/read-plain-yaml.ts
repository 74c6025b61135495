import { FAILSAFE_SCHEMA, load, Type } from "js-yaml";
import { isJsonObject, type Json } from "../model/json.ts";
import { DEEPEST, LARGEST_BYTES, MOST_NODES } from "./yaml-bounds.ts";

// YAML 1.2.2 10.3.2, the core schema: the plain scalars that are no texts.
const VALUE =
  /^(?:~|null|Null|NULL|true|True|TRUE|false|False|FALSE|0o[0-7]+|0x[0-9a-fA-F]+|[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
const OPTIONS = {
  schema: FAILSAFE_SCHEMA.extend({
    implicit: [
      new Type("tag:vitrine:value", {
        kind: "scalar",
        resolve: (text: unknown) => typeof text === "string" && (VALUE.test(text) || text === "<<"),
        construct: readAsWritten,
      }),
    ],
  }),
  maxDepth: DEEPEST,
};

/** A directive, a key that is a list, a mapping or an alias, a text whose indentation is said: what parsers take differently, or what looks so. */
const ODD = /^%|[\]}]\s*:|(?:^[ \t-]*|[,[{]\s*)(?:\?\s|\*[^\s,:]+\s*:)|[|>][-+]?\d[-+]?[ \t]*$/m;

/**
 * The data of a YAML text that says everything in the plainest way: scalars as JSON writes them, no merges, no doubled keys. Undefined for any
 * other text, which `readYaml` reads. Of this one that would make the same, if it does not find it badly indented.
 */
export function readPlainYaml(text: string): Json | undefined {
  if (Buffer.byteLength(text) > LARGEST_BYTES || ODD.test(text)) return undefined;
  try {
    const value = load(text, OPTIONS) as Json;
    return isBounded(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Its spelling is then also the name that it is as a key. */
function readAsWritten(text: string): Json {
  const value = JSON.parse(text) as Json;
  const isExact = typeof value !== "number" || !Number.isInteger(value) || Number.isSafeInteger(value);
  if (String(value) === text && isExact) return value;
  throw new RangeError(`${text} is not how JSON writes ${value}.`);
}

/** Aliases share what they stand for, so that the number of values is not that of the objects. */
function isBounded(value: Json): boolean {
  let nodes = 0;
  const visit = (node: Json, depth: number): boolean => {
    nodes += 1;
    if (depth > DEEPEST || nodes > MOST_NODES) return false;
    if (Array.isArray(node)) return node.every((item: Json) => visit(item, depth + 1));
    if (!isJsonObject(node)) return true;
    // The first is no name of ours; an empty key is read as the second.
    if (Object.hasOwn(node, "__proto__") || Object.hasOwn(node, "null")) return false;
    return Object.values(node).every((item) => visit(item, depth + 1));
  };
  return visit(value, 0);
}
