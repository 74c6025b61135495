import type { Literal } from "../../model/filter.ts";
import { defineTextDialect, inDoubleQuotes } from "../define-text-dialect.ts";
import { ALL_TYPES, capabilities, type Dialect, isText, type Leaf, ORDERED, ordered } from "../dialect.ts";

/**
 * Google's AIP-160: OR binds tighter than AND, so that every group inside another stands in brackets; `f:*` says that there is a value. A `*`
 * in the text of an equality may be a wildcard, so a text that holds one is refused.
 */
export const aip160: Dialect = defineTextDialect({
  name: "aip-160",
  capabilities: capabilities({
    eq: ALL_TYPES,
    ne: ALL_TYPES,
    ...ordered(ORDERED),
    is_null: ALL_TYPES,
    is_not_null: ALL_TYPES,
  }),
  groups: { shape: "free", depth: 8 },
  nullOnNegation: "drop",
  fieldNames: /^(?!(AND|OR|NOT)$)[A-Za-z_][\w-]*(\.[A-Za-z_][\w-]*)*$/,
  and: " AND ",
  or: " OR ",
  refuseValue: (value) =>
    isText(value) && value.text.includes("*") ? "A * may be taken as a wildcard by aip-160." : undefined,
  literal,
  leaf: writeLeaf,
});

const OPERATORS: Readonly<Record<string, string>> = { eq: "=", ne: "!=", lt: "<", lte: "<=", gt: ">", gte: ">=" };

function writeLeaf(leaf: Leaf): string {
  const { to } = leaf.field;
  if (leaf.kind === "null") return leaf.op === "is_null" ? `NOT ${to}:*` : `${to}:*`;
  if (leaf.kind === "member") return `(${leaf.values.map((value) => `${to} = ${literal(value)}`).join(" OR ")})`;
  return `${to} ${OPERATORS[leaf.op]} ${literal(leaf.value)}`;
}

/** Moments stand in quotes: a colon is an operator. */
function literal(value: Literal): string {
  return value.type === "integer" || value.type === "decimal" || value.type === "boolean"
    ? value.text
    : inDoubleQuotes(value.text);
}
