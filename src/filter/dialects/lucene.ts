import type { Literal } from "../../model/filter.ts";
import { defineTextDialect, inDoubleQuotes } from "../define-text-dialect.ts";
import { type Dialect, EVERY_OPERATOR, type Leaf } from "../dialect.ts";
import { toMilliseconds } from "../write-moment.ts";

/**
 * Lucene's classic query language, as Elasticsearch and OpenSearch take it in `query_string`, over fields that are not analysed. A group that
 * only negates matches nothing in Lucene itself, so each negation says of what it takes away: `*:*`. Documents without the field are kept.
 */
export const lucene: Dialect = defineTextDialect({
  name: "lucene",
  capabilities: EVERY_OPERATOR,
  groups: { shape: "free", depth: 8 },
  nullOnNegation: "keep",
  fieldNames: /^(?!_exists_$)[\p{L}_@][\p{L}\p{N}_@]*([.-][\p{L}\p{N}_@]+)*$/u,
  and: " AND ",
  or: " OR ",
  refuseValue: ({ text }, { op }) =>
    (op === "contains" || op === "not_contains") && /[<>]/.test(text)
      ? "Lucene cannot escape < and > outside quotation marks."
      : undefined,
  literal,
  leaf: writeLeaf,
});

function writeLeaf(leaf: Leaf): string {
  const { to } = leaf.field;
  switch (leaf.op) {
    case "is_null":
      return without(`_exists_:${to}`);
    case "is_not_null":
      return `_exists_:${to}`;
    case "in":
      return `${to}:(${leaf.values.map(literal).join(" OR ")})`;
    case "not_in":
      return without(`${to}:(${leaf.values.map(literal).join(" OR ")})`);
    case "eq":
      return `${to}:${literal(leaf.value)}`;
    case "ne":
      return without(`${to}:${literal(leaf.value)}`);
    case "lt":
      return `${to}:{* TO ${bound(leaf.value)}}`;
    case "lte":
      return `${to}:[* TO ${bound(leaf.value)}]`;
    case "gt":
      return `${to}:{${bound(leaf.value)} TO *}`;
    case "gte":
      return `${to}:[${bound(leaf.value)} TO *]`;
    case "contains":
      return `${to}:*${escapeText(leaf.value.text)}*`;
    case "not_contains":
      return without(`${to}:*${escapeText(leaf.value.text)}*`);
    default:
      return leaf satisfies never;
  }
}

function without(query: string): string {
  return `(*:* AND NOT ${query})`;
}

/** In quotes nothing is an operator or a wildcard. */
function literal(value: Literal): string {
  return inDoubleQuotes(bound(value));
}

/** Numbers and moments stand bare between the brackets of a range. */
function bound({ type, text }: Literal): string {
  return type === "date-time" ? toMilliseconds(text) : text;
}

function escapeText(text: string): string {
  return text.replace(/[+\-=&|!(){}[\]^"~*?:\\/\s]/g, "\\$&");
}
