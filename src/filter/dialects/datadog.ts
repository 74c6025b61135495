import type { FieldType, Literal } from "../../model/filter.ts";
import { defineTextDialect, inDoubleQuotes } from "../define-text-dialect.ts";
import { ALL_TYPES, capabilities, type Dialect, type Leaf, ordered, STRINGS } from "../dialect.ts";

/** Attributes have no moments: only numbers have an order. */
const NUMBERS: readonly FieldType[] = ["integer", "decimal"];

/**
 * Datadog's search of logs and events. The author writes `@` before an attribute and nothing before a tag. In quotes nothing is a wildcard; a
 * `-` negates, and operators are in upper case.
 */
export const datadog: Dialect = defineTextDialect({
  name: "datadog",
  capabilities: capabilities({
    eq: ALL_TYPES,
    ne: ALL_TYPES,
    in: ALL_TYPES,
    not_in: ALL_TYPES,
    ...ordered(NUMBERS),
    contains: STRINGS,
    not_contains: STRINGS,
    is_null: ALL_TYPES,
    is_not_null: ALL_TYPES,
  }),
  groups: { shape: "free", depth: 8 },
  nullOnNegation: "drop",
  fieldNames: /^(?!(AND|OR|NOT)$)@?[A-Za-z_]\w*([./-]\w+)*$/,
  and: " AND ",
  or: " OR ",
  literal,
  leaf: writeLeaf,
});

const COMPARATORS: Readonly<Record<string, string>> = { lt: ":<", lte: ":<=", gt: ":>", gte: ":>=" };

function writeLeaf(leaf: Leaf): string {
  const { to } = leaf.field;
  const positive = leaf.op === "is_not_null" || leaf.op === "in" || leaf.op === "eq" || leaf.op === "contains";
  const sign = positive ? "" : "-";
  if (leaf.kind === "null") return `${sign}${to}:*`;
  if (leaf.kind === "member") return `${sign}${to}:(${leaf.values.map(literal).join(" OR ")})`;
  switch (leaf.op) {
    case "eq":
    case "ne":
      return `${sign}${to}:${literal(leaf.value)}`;
    case "contains":
    case "not_contains":
      return `${sign}${to}:*${escapeText(leaf.value.text)}*`;
    default:
      return `${to}${COMPARATORS[leaf.op]}${leaf.value.text}`;
  }
}

function literal({ text }: Literal): string {
  return inDoubleQuotes(text);
}

function escapeText(text: string): string {
  return text.replace(/[+\-=&|><!(){}[\]^"\u201c\u201d~*?:\\#\s]/g, "\\$&");
}
