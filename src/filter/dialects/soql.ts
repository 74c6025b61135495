import type { Literal } from "../../model/filter.ts";
import { defineTextDialect } from "../define-text-dialect.ts";
import { type Dialect, EVERY_OPERATOR, isText, type Leaf } from "../dialect.ts";
import { SQL_OPERATORS } from "../sql-operators.ts";

/**
 * A WHERE clause of SOQL: AND and OR mixed without brackets are an error, so is an unknown escape; dates and numbers stand bare. `%` and `_` are
 * escaped in the pattern of LIKE only.
 */
export const soql: Dialect = defineTextDialect({
  name: "soql",
  capabilities: EVERY_OPERATOR,
  groups: { shape: "free", depth: 8 },
  limits: { characters: 16_000 },
  nullOnNegation: "drop",
  fieldNames: /^[A-Za-z]\w*(\.[A-Za-z]\w*)*$/,
  and: " AND ",
  or: " OR ",
  literal,
  leaf: writeLeaf,
});

function writeLeaf(leaf: Leaf): string {
  const { to } = leaf.field;
  if (leaf.kind === "null") return `${to} ${leaf.op === "is_null" ? "=" : "!="} null`;
  if (leaf.kind === "member") return `${to} ${SQL_OPERATORS[leaf.op]} (${leaf.values.map(literal).join(", ")})`;
  if (leaf.op === "contains") return `${to} LIKE ${pattern(leaf.value)}`;
  if (leaf.op === "not_contains") return `(NOT ${to} LIKE ${pattern(leaf.value)})`;
  return `${to} ${SQL_OPERATORS[leaf.op]} ${literal(leaf.value)}`;
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
