import type { Literal } from "../../model/filter.ts";
import { defineTextDialect } from "../define-text-dialect.ts";
import { ALL_TYPES, capabilities, type Dialect, isText, type Leaf, ORDERED, ordered, STRINGS } from "../dialect.ts";

/**
 * A WHERE clause of SOQL: AND and OR mixed without brackets are an error, so is an unknown escape; dates and numbers stand bare. `%` and `_` are
 * escaped in the pattern of LIKE only.
 */
export const soql: Dialect = defineTextDialect({
  name: "soql",
  capabilities: capabilities({
    eq: ALL_TYPES,
    ne: ALL_TYPES,
    in: ALL_TYPES,
    not_in: ALL_TYPES,
    ...ordered(ORDERED),
    contains: STRINGS,
    not_contains: STRINGS,
    is_null: ALL_TYPES,
    is_not_null: ALL_TYPES,
  }),
  groups: { shape: "free", depth: 8 },
  limits: { characters: 16_000 },
  nullOnNegation: "drop",
  fieldNames: /^[A-Za-z]\w*(\.[A-Za-z]\w*)*$/,
  and: " AND ",
  or: " OR ",
  literal,
  leaf: writeLeaf,
});

const OPERATORS: Readonly<Record<string, string>> = {
  eq: "=",
  ne: "!=",
  lt: "<",
  lte: "<=",
  gt: ">",
  gte: ">=",
  in: "IN",
  not_in: "NOT IN",
};

function writeLeaf(leaf: Leaf): string {
  const { to } = leaf.field;
  if (leaf.kind === "null") return `${to} ${leaf.op === "is_null" ? "=" : "!="} null`;
  if (leaf.kind === "member") return `${to} ${OPERATORS[leaf.op]} (${leaf.values.map(literal).join(", ")})`;
  if (leaf.op === "contains") return `${to} LIKE ${pattern(leaf.value)}`;
  if (leaf.op === "not_contains") return `(NOT ${to} LIKE ${pattern(leaf.value)})`;
  return `${to} ${OPERATORS[leaf.op]} ${literal(leaf.value)}`;
}

function literal(value: Literal): string {
  return isText(value) ? `'${escapeText(value.text)}'` : value.text;
}

function pattern({ text }: Literal): string {
  return `'%${escapeText(text).replace(/[%_]/g, "\\$&")}%'`;
}

function escapeText(text: string): string {
  return text.replace(/[\\']/g, "\\$&");
}
