import type { FieldType, Literal } from "../../model/filter.ts";
import { defineTextDialect, inDoubleQuotes } from "../define-text-dialect.ts";
import { capabilities, type Dialect, isText, type Leaf, ordered } from "../dialect.ts";
import { SQL_OPERATORS } from "../sql-operators.ts";

/** JQL reads a date-time in the zone of whoever asks, without seconds, so none can be written; it has no booleans. */
const TYPES: readonly FieldType[] = ["string", "integer", "decimal", "date", "enum"];
const ORDERED_IN_JQL: readonly FieldType[] = ["integer", "decimal", "date"];

/**
 * Jira's JQL. `!=` and NOT IN never match issues without a value. `~` searches words and not parts of texts, so there is no `contains`. Names
 * stand in quotes, since some two hundred words are reserved.
 */
export const jql: Dialect = defineTextDialect({
  name: "jql",
  capabilities: capabilities({
    eq: TYPES,
    ne: TYPES,
    in: TYPES,
    not_in: TYPES,
    ...ordered(ORDERED_IN_JQL),
    is_null: TYPES,
    is_not_null: TYPES,
  }),
  groups: { shape: "free", depth: 8 },
  nullOnNegation: "drop",
  fieldNames: /^\P{C}+$/u,
  and: " AND ",
  or: " OR ",
  literal,
  leaf: writeLeaf,
});

function writeLeaf(leaf: Leaf): string {
  const { to } = leaf.field;
  const name = /^cf\[\d+\]$/.test(to) ? to : inDoubleQuotes(to);
  if (leaf.kind === "null") return `${name} IS ${leaf.op === "is_null" ? "" : "NOT "}EMPTY`;
  if (leaf.kind === "member") return `${name} ${SQL_OPERATORS[leaf.op]} (${leaf.values.map(literal).join(", ")})`;
  return `${name} ${SQL_OPERATORS[leaf.op]} ${literal(leaf.value)}`;
}

function literal(value: Literal): string {
  return isText(value) || value.type === "date" ? inDoubleQuotes(value.text) : value.text;
}
