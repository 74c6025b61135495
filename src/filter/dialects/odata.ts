import type { Literal } from "../../model/filter.ts";
import { defineTextDialect } from "../define-text-dialect.ts";
import { ALL_TYPES, capabilities, type Dialect, isText, type Leaf, ORDERED, ordered, STRINGS } from "../dialect.ts";

/**
 * OData `$filter` (OASIS OData 4.01 part 2, 5.1.1): `in` is 4.01 only, so that a list is written as equalities; a quote in a text is doubled, a
 * backslash is itself; dates and numbers stand bare. A `not` stands in brackets, since the grammar alone lets it reach over what follows. By the standard `ne` keeps rows without a value, by what many servers do it drops them.
 */
export const odata: Dialect = defineTextDialect({
  name: "odata",
  capabilities: capabilities({
    eq: ALL_TYPES,
    ne: ALL_TYPES,
    ...ordered(ORDERED),
    contains: STRINGS,
    not_contains: STRINGS,
    is_null: ALL_TYPES,
    is_not_null: ALL_TYPES,
  }),
  groups: { shape: "free", depth: 8 },
  nullOnNegation: "drop",
  fieldNames: /^(?!(true|false|null|not|INF|NaN)$)[\p{L}_][\p{L}\p{N}_]*([./][\p{L}_][\p{L}\p{N}_]*)*$/u,
  and: " and ",
  or: " or ",
  literal,
  leaf: writeLeaf,
});

const OPERATORS = { eq: "eq", ne: "ne", lt: "lt", lte: "le", gt: "gt", gte: "ge" } as const;

function writeLeaf(leaf: Leaf): string {
  const { to } = leaf.field;
  if (leaf.kind === "null") return `${to} ${leaf.op === "is_null" ? "eq" : "ne"} null`;
  if (leaf.kind === "member") return `${to} in (${leaf.values.map(literal).join(",")})`;
  if (leaf.op === "contains") return `contains(${to},${literal(leaf.value)})`;
  if (leaf.op === "not_contains") return `(not contains(${to},${literal(leaf.value)}))`;
  return `${to} ${OPERATORS[leaf.op]} ${literal(leaf.value)}`;
}

function literal(value: Literal): string {
  return isText(value) ? `'${value.text.replaceAll("'", "''")}'` : value.text;
}
