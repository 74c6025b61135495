import type { Literal } from "../../model/filter.ts";
import { defineTextDialect, inDoubleQuotes } from "../define-text-dialect.ts";
import { ALL_TYPES, capabilities, type Dialect, isText, type Leaf, ORDERED, ordered } from "../dialect.ts";

/**
 * RSQL, the superset of FIQL (jirutka/rsql-parser): `;` is AND and binds tighter than `,`, there is no NOT. `=isnull=` is the common
 * extension. A `*` in a value is a wildcard in most servers, so a text that holds one is refused.
 */
export const rsql: Dialect = defineTextDialect({
  name: "rsql",
  capabilities: capabilities({
    eq: ALL_TYPES,
    ne: ALL_TYPES,
    in: ALL_TYPES,
    not_in: ALL_TYPES,
    ...ordered(ORDERED),
    is_null: ALL_TYPES,
    is_not_null: ALL_TYPES,
  }),
  groups: { shape: "free", depth: 8 },
  nullOnNegation: "drop",
  fieldNames: /^[^"'();,=!~<>\s\\\p{C}]+$/u,
  and: ";",
  or: ",",
  refuseValue: (value) =>
    isText(value) && value.text.includes("*") ? "A * would be taken as a wildcard by rsql." : undefined,
  literal,
  leaf: writeLeaf,
});

const OPERATORS: Readonly<Record<string, string>> = {
  eq: "==",
  ne: "!=",
  lt: "=lt=",
  lte: "=le=",
  gt: "=gt=",
  gte: "=ge=",
  in: "=in=",
  not_in: "=out=",
};

function writeLeaf(leaf: Leaf): string {
  const { to } = leaf.field;
  if (leaf.kind === "null") return `${to}=isnull=${leaf.op === "is_null"}`;
  if (leaf.kind === "member") return `${to}${OPERATORS[leaf.op]}(${leaf.values.map(literal).join(",")})`;
  return `${to}${OPERATORS[leaf.op]}${literal(leaf.value)}`;
}

/** Everything is quoted: what need not be is the smaller part of the grammar. */
function literal({ text }: Literal): string {
  return inDoubleQuotes(text);
}
