import type { FieldType, Literal } from "../../model/filter.ts";
import { defineTextDialect, inDoubleQuotes } from "../define-text-dialect.ts";
import { ALL_TYPES, capabilities, type Dialect, isText, type Leaf, ORDERED, ordered } from "../dialect.ts";

/**
 * Shopify's search syntax: a `-` negates, `f:*` says that there is a value. A `*` makes a prefix of a text, so a text that holds one is refused.
 * A field that the resource does not have is searched for as text, with a warning in `extensions`.
 */
export const shopify: Dialect = defineTextDialect({
  name: "shopify",
  capabilities: capabilities({
    eq: ALL_TYPES,
    ne: ALL_TYPES,
    ...ordered(ORDERED),
    is_null: ALL_TYPES,
    is_not_null: ALL_TYPES,
  }),
  groups: { shape: "free", depth: 8 },
  nullOnNegation: "drop",
  fieldNames: /^(?!(AND|OR|NOT)$)[A-Za-z_][\w.]*$/,
  refuseValue: (value) =>
    isText(value) && value.text.includes("*") ? "A * would be taken as a wildcard by shopify." : undefined,
  and: " AND ",
  or: " OR ",
  literal,
  leaf: writeLeaf,
});

const COMPARATORS: Readonly<Record<string, string>> = { eq: ":", lt: ":<", lte: ":<=", gt: ":>", gte: ":>=" };
const BARE: readonly FieldType[] = ["integer", "decimal", "boolean"];

function writeLeaf(leaf: Leaf): string {
  const { to } = leaf.field;
  if (leaf.kind === "null") return `${leaf.op === "is_null" ? "-" : ""}${to}:*`;
  if (leaf.kind === "member") return `(${leaf.values.map((value) => `${to}:${literal(value)}`).join(" OR ")})`;
  if (leaf.op === "ne") return `-${to}:${literal(leaf.value)}`;
  return `${to}${COMPARATORS[leaf.op]}${literal(leaf.value)}`;
}

function literal({ type, text }: Literal): string {
  return BARE.includes(type) ? text : inDoubleQuotes(text);
}
